"""How much one caller may ask, read from the setting."""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured

RATES = "default=300,search=120,changes=20,auth=30,concurrent=8"
OFF = "off"  # for measuring only


def rate_limits(told: str) -> dict[str, int]:
    """Each limit by its name; what is not told is as in RATES. Raises ImproperlyConfigured."""
    return {} if told.strip() == OFF else _parsed(RATES) | _parsed(told)


def _parsed(told: str) -> dict[str, int]:
    known = [each.partition("=")[0] for each in RATES.split(",")]
    limits: dict[str, int] = {}
    for each in told.split(","):
        name, _, number = (part.strip() for part in each.partition("="))
        if name not in known or not (number.isascii() and number.isdigit()) or not 0 < int(number) < 10**6:
            raise ImproperlyConfigured(
                f"RATE_LIMITS has {each!r}; write {OFF}, or name=number with a number from 1 to 999,999, "
                f"parted by commas. The names are {', '.join(known)}."
            )
        limits[name] = int(number)
    return limits

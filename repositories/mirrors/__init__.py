"""The write side of mirrors: make, fetch, pin and remove them."""

from repositories.mirrors.complaints import SENTENCES
from repositories.mirrors.fetching import SyncLimits
from repositories.mirrors.notes import Moved
from repositories.mirrors.pins import Pin, pin, pins, sweep_pins, unpin, unpin_all
from repositories.mirrors.progress import Progress
from repositories.mirrors.remotes import Resolver, checked_remote, public_resolver
from repositories.mirrors.syncing import Synced, remove, report_damage, sync
from repositories.mirrors.watching import refs_seen

__all__ = [
    "SENTENCES",
    "Moved",
    "Pin",
    "Progress",
    "Resolver",
    "SyncLimits",
    "Synced",
    "checked_remote",
    "pin",
    "pins",
    "public_resolver",
    "refs_seen",
    "remove",
    "report_damage",
    "sweep_pins",
    "sync",
    "unpin",
    "unpin_all",
]

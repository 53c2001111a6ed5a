"""Builds that are asked for now and made later, by a worker of their own."""

from __future__ import annotations

from django_q.models import OrmQ
from django_q.tasks import async_task

from brain import store
from brain.store import Source

CLUSTER = "brain-index"
BUILD_NEXT = "brain.tasks.build_next"


def request(source: Source, *, asked_by: str, whole: bool = False, patient: bool = False) -> bool:
    """Ask for a build; False when one that does as much was wanted already, or the Brain is off.

    `patient`: nobody waits for it, so that a whole build keeps its distance from the last one. Inside a
    transaction the request is made, or not, with it.
    """
    is_new = store.want(source.pk, by=asked_by, whole=whole, patient=patient)
    if is_new:
        wake()
    return is_new


def wake() -> None:
    """Let the worker look for wanted builds."""
    async_task(BUILD_NEXT, cluster=CLUSTER)


def wake_rested() -> bool:
    """Wake the worker for a build whose moment has come; whether that was needed. It costs little."""
    is_needed = store.is_any_rested() and not OrmQ.objects.filter(key=CLUSTER).exists()
    if is_needed:
        wake()
    return is_needed

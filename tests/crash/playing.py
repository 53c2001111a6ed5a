"""What a large run plays, part by part."""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.crash.faulting import fault_builds
from tests.crash.faults import REFUSED, SEVERED, UNHEARD, database_fault, git_fault
from tests.crash.flipping import flip
from tests.crash.killing import AFTER_COMMIT, ANYWHERE, VICTIMS, Blow, recover, strike
from tests.crash.places import Place
from tests.crash.queueing import drain, poison
from tests.crash.racing import ACTS, overtake, race
from tests.crash.stops import COMMIT, POINTS
from tests.crash.tally import TALLY
from tests.crash.worlds import LARGE, a_world

ALL_PHASES = ("resolve", "list", "parse", "assemble", "write", "pin")
KINDS = {"whole": True, "incremental": False}
LONGEST = 2.5  # seconds that a build has had when it is killed anywhere


def faults(_: Place, amount: int, rng: random.Random) -> None:
    """R-02, at four times as many turns of each kind."""
    world, seed = a_world("faulty"), rng.randrange(1 << 30)
    for kind, whole in KINDS.items():
        for how in (SEVERED, REFUSED, UNHEARD):
            row = TALLY[f"R-02 database {how}, {kind}"]
            fault_builds(world, row, database_fault, how, whole=whole, points=4 * amount, seed=seed)
        row = TALLY[f"R-02 Git, {kind}"]
        fault_builds(world, row, git_fault, "", whole=whole, points=4 * amount, seed=seed)


def races(place: Place, amount: int, rng: random.Random) -> None:
    """C1 to C3: every change in every phase."""
    raced = a_world("raced")
    for _ in range(amount):
        race(place, raced, TALLY["C1 eight builds at once"])
    for act in ACTS:
        for kind, whole in KINDS.items():
            world = a_world(f"overtaken-{act}-{kind}")
            for phase in ALL_PHASES:
                if act == "delete":
                    world = a_world(f"deleted-{kind}-{phase}")
                overtake(world, TALLY[f"C{3 if act == 'delete' else 2} {act}"], phase, act, whole=whole)


def readers(_: Place, amount: int, rng: random.Random) -> None:
    """R-03, with twice as many builds."""
    flip(a_world("read"), TALLY["R-03 sixteen readers"], builds=2 * amount)


def kills(place: Place, amount: int, rng: random.Random) -> None:
    """R-01, C5 and R-05."""
    worlds = [a_world(f"queued-{number}") for number in range(10)]
    killed, parsed = a_world("killed"), a_world("parsed", lines=LARGE)
    with place.supervised():
        for _ in range(amount):
            blow = _a_blow(rng)
            row = TALLY[f"R-01 {blow.victim}{' anywhere' if blow.after else ''}"]
            strike(place, parsed if blow.victim == "parser" else killed, row, blow)
        recover(killed, TALLY["R-01 after all"])
        poison(place, a_world("poison"), a_world("beside"), TALLY["C5 poison build"])
        drain(
            place,
            worlds,
            TALLY["R-05 queue"],
            requests=5 * amount,
            kills=amount // 3 + 1,
            seed=rng.randrange(99),
        )


def _a_blow(rng: random.Random) -> Blow:
    victim, whole = rng.choice([*VICTIMS, AFTER_COMMIT]), rng.random() < 0.5
    if victim == AFTER_COMMIT:
        return Blow(victim, COMMIT, whole=whole)
    if victim == "parser":
        return Blow(victim, ANYWHERE, whole=True)
    if victim != "backend" and rng.random() < 0.4:
        return Blow(victim, ANYWHERE, whole=whole, after=rng.uniform(0, LONGEST))
    return Blow(victim, rng.choice(POINTS), whole=whole)


PARTS: tuple[Callable[[Place, int, random.Random], None], ...] = (faults, races, readers, kills)

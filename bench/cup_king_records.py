"""Play Cup King's golden records with simulated flicks, game after game until one shows what it is for.

    python bench/cup_king_records.py [NAME …]

A record depends on the machine: floating point differs between processors. It replays everywhere all the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

import cupboard
from cupboard.core.game import CHANCE, Position
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.games.cup_king.flick import MOST_ASIDE, MOST_TURN, Aim
from cupboard.games.cup_king.moves import SLOT_INDEX, CupMove, Flick, Keep, Play, Settle, Shoot
from cupboard.games.cup_king.odds import odds
from cupboard.games.cup_king.rules import CupKingPosition
from cupboard.players import make_player

FOLDER = Path(cupboard.__file__).parent / "games" / "cup_king" / "records"
NAMES = ("Anna", "Bo", "Chris", "Dana", "Emil", "Fay")


@dataclass(frozen=True)
class Wanted:
    """A record to be made: for how many seats, under which rules, and what must come up in it."""

    seats: int
    comment: str
    shows: str
    """Letters of what must come up: A, B and C as the referee says them, D a choice, + a flick that is aimed."""
    options: dict[str, str] = field(default_factory=dict)
    aims: bool = False
    """Whether people aim freely, and do not only choose among gentle, firm and hard."""


WANTED = {
    "two": Wanted(2, "A pyramid breaks in two, and its owner chooses", "BCD"),
    "three": Wanted(3, "A bucket stands apart and goes", "BC"),
    "five": Wanted(5, "", "B"),
    "six": Wanted(6, "", "B"),
    "flick": Wanted(2, "Flicks aimed freely, from the front and from behind", "ABCD+", aims=True),
    "two-fingers": Wanted(3, "Bo is young and takes buckets out with two fingers", "B", {"two_fingers": "B"}),
}


def play(wanted: Wanted, seed: int) -> Match:
    """A game of quick bots that defend while they can and flick what costs least, simulated as before people."""
    rng = Random(seed)
    match = Match(cupboard.load("cup-king", seats=wanted.seats, **wanted.options), NAMES[: wanted.seats])
    bots = [make_player("greedy", match.game, seed + seat) for seat in range(wanted.seats)]
    while match.position.to_act:
        position, seat = match.position, match.position.to_act[0]
        if seat == CHANCE:
            match.play(position.simulate(rng).move if position.is_simulated else position.chance(rng), CHANCE)
            continue
        move = bots[seat].choose(position.seen_by(seat))
        if isinstance(move, Flick | Shoot) and (answers := [m for m in position.moves(seat) if isinstance(m, Play)]):
            move = min(answers, key=lambda play: play.value)  # people defend while they can
        elif isinstance(move, Flick):
            move = Flick(seat, move.bucket, _some_aim(rng)) if wanted.aims else kindest(position, seat)
        match.play(move, seat)
    return match


def kindest(position: Position[CupMove], seat: int) -> Flick:
    """The flick that costs fewest buckets on average, as the odds have it."""
    assert isinstance(position, CupKingPosition)
    stood, hand = position.standing(seat), str(position.game.options["hand"])

    def cost(flick: Flick) -> float:
        known = odds(hand, flick.kind, stood, SLOT_INDEX[flick.bucket])
        return sum(n * ((stood & ~left).bit_count()) for left, n in known.counts.items()) / known.flicks

    return min((move for move in position.moves(seat) if isinstance(move, Flick)), key=cost)


def _some_aim(rng: Random) -> Aim:
    aside, turn = (round(max(-most, min(most, rng.gauss(0, most / 4)))) for most in (MOST_ASIDE, MOST_TURN))
    return Aim(rng.randint(15, 100), rng.randint(30, 80), aside, turn, rng.random() < 0.3)


def shown(match: Match) -> set[str]:
    """The letters of what comes up in a game, as in Wanted.shows."""
    signs: dict[str, Callable[[object], bool]] = {
        "A": lambda move: isinstance(move, Settle) and bool(move.misplaced),
        "B": lambda move: isinstance(move, Settle) and "B: " in str(move.words(str)),
        "C": lambda move: isinstance(move, Settle) and bool(move.apart),
        "D": lambda move: isinstance(move, Keep),
        "+": lambda move: isinstance(move, Flick) and not move.kind,
        "2": lambda move: isinstance(move, Shoot),
    }
    return {sign for sign, comes_up in signs.items() if any(comes_up(entry.move) for entry in match.log)}


def main(names: list[str]) -> None:
    """Write the records of these names, or all."""
    for name in names or WANTED:
        wanted = WANTED[name]
        for seed in count(1):
            match = play(wanted, seed)
            print(f"{name} with seed {seed}: {len(match.log)} moves, {''.join(sorted(shown(match)))}", flush=True)
            if set(wanted.shows) <= shown(match):
                break
        tags = {"Comment": wanted.comment} if wanted.comment else {}
        text = str(Record.of(match, Date="2026-11-18", **tags))
        (FOLDER / f"{name}.game").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

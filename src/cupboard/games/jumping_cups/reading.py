"""Reading a position of Jumping Cups from one line of text.

    R/RY/./…   the stacks from square 1 to 14, lowest cup first, . for an empty square
    A          who acts: A is Red, B is Yellow, * the lot; or =A:filled when the game is over
    12         moves made

What cannot come up in a game is refused: two own cups on a finish square, a turn of a seat that has already lost.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cupboard.core.errors import BadPosition
from cupboard.core.game import Seat
from cupboard.core.row import OVER, PLY, TURN, Row
from cupboard.core.words import listed, phrase, quoted
from cupboard.games.jumping_cups.rules import LETTERS, REASONS, TRACK

if TYPE_CHECKING:
    from cupboard.games.jumping_cups.rules import JumpingCups

_FINISH = (range(9, 14), range(5))
_START = ["R"] * 5 + [""] * 4 + ["Y"] * 5


def read_row(game: JumpingCups, text: str) -> Row:
    """The kernel's row for a line of text; BadPosition says what is wrong with it."""
    fields = text.split()
    if len(fields) != 3:
        raise BadPosition(phrase("jumping-cups.position.words"))
    module = game.kernel_module
    stacks = _read_stacks(fields[0])
    row = game.start().row.copy()
    for square, stack in enumerate(stacks, start=1):
        colours = sum(LETTERS.index(cup) << level for level, cup in enumerate(stack))
        row[module.STACKS + square] = len(stack) | colours << 4
    module.refresh(row)
    row[PLY] = _read_ply(fields[2])
    if found := re.fullmatch(r"=([AB]):([a-z-]+)", fields[1]):
        _read_end(game, row, stacks, "AB".index(found[1]), found[2])
    else:
        _read_turn(game, row, stacks, fields[1])
    return row


def _read_stacks(text: str) -> list[str]:
    stacks = ["" if stack == "." else stack for stack in text.split("/")]
    if len(stacks) != TRACK or not all(set(stack) <= set(LETTERS) for stack in stacks):
        raise BadPosition(phrase("jumping-cups.position.stacks", squares=TRACK))
    for cup, finish in zip(LETTERS, _FINISH, strict=True):
        if any(stacks[square].count(cup) > 1 for square in finish):
            raise BadPosition(phrase("jumping-cups.position.twice"))
    return stacks


def _check_cups(game: JumpingCups, stacks: list[str], overshot: Seat | None) -> None:
    for seat, cup in enumerate(LETTERS):
        if sum(stack.count(cup) for stack in stacks) != (4 if seat == overshot else 5):
            key = "jumping-cups.position.four" if seat == overshot else "jumping-cups.position.five"
            raise BadPosition(phrase(key, who=game.seat_name(seat)))


def _read_ply(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text, re.ASCII):
        raise BadPosition(phrase("jumping-cups.position.number", text=quoted(text[:20])))
    return int(text)


def _read_end(game: JumpingCups, row: Row, stacks: list[str], winner: Seat, reason: str) -> None:
    module = game.kernel_module
    if reason not in REASONS[1:]:
        raise BadPosition(
            phrase("jumping-cups.position.reason", reason=quoted(reason[:20]), reasons=listed(*REASONS[1:]))
        )
    loser = 1 - winner
    _check_cups(game, stacks, loser if reason == "overshot" else None)
    if not row[PLY]:
        raise BadPosition(phrase("jumping-cups.position.early"))
    filled = [bool(row[module.HOME + seat] == module.FINISH[seat]) for seat in (0, 1)]
    free = bool(row[module.FREE + loser])
    fits = {
        "filled": filled[winner],
        "blocked": not filled[winner] and not free,
        "only-overshoots": not filled[winner] and free and not module.can_stay(row, loser),  # JA-11
        "overshot": not filled[winner],
    }
    if filled[loser] or not fits[reason]:
        raise BadPosition(phrase("jumping-cups.position.notWon", who=game.seat_name(winner), reason=reason))
    row[TURN] = OVER
    row[module.WINNER] = winner
    row[module.REASON] = REASONS.index(reason)


def _read_turn(game: JumpingCups, row: Row, stacks: list[str], turn: str) -> None:
    module = game.kernel_module
    if turn not in ("A", "B", "*"):
        raise BadPosition(phrase("jumping-cups.position.turn", text=quoted(turn[:20])))
    _check_cups(game, stacks, None)
    for seat in (0, 1):
        if row[module.HOME + seat] == module.FINISH[seat]:
            raise BadPosition(phrase("jumping-cups.position.filled", who=game.seat_name(seat)))
    if turn == "*":
        if row[PLY] or stacks != _START:
            raise BadPosition(phrase("jumping-cups.position.lot"))
        if game.options["starter"] != "random":
            raise BadPosition(phrase("jumping-cups.position.noLot", who=game.seat_name(int(row[TURN]))))
        return
    row[TURN] = "AB".index(turn)
    if not row[module.FREE + row[TURN]]:
        raise BadPosition(phrase("jumping-cups.position.blocked", who=game.seat_name(int(row[TURN]))))
    if not module.can_stay(row, row[TURN]):  # JA-11
        raise BadPosition(phrase("jumping-cups.position.leaves", who=game.seat_name(int(row[TURN]))))

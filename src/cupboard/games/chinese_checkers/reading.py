"""Reading a position of Chinese Checkers from one line of text.

A/AA/AAA/AAAA/…/B   the holes row by row from the top: the letter of whose piece stands there, . for an empty one
B+A                 who acts, and who has finished in this round; or =A:finished, =A,B:repetition when it is over
13 12               turns taken, forced passes included, and moves made
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from cupboard.core.errors import BadPosition
from cupboard.core.game import letter
from cupboard.core.row import OVER, PLY, TURN, Row
from cupboard.core.words import listed, phrase, quoted
from cupboard.games.chinese_checkers import layout as k
from cupboard.games.chinese_checkers.board import WIDTHS

if TYPE_CHECKING:
    from cupboard.games.chinese_checkers.rules import ChineseCheckers


def read_row(game: ChineseCheckers, text: str) -> Row:
    """The kernel's row for a line of text; BadPosition says what is wrong with it."""
    fields = text.split()
    if len(fields) != 4:
        raise BadPosition(phrase("chinese-checkers.position.words"))
    row = game.start().row.copy()
    row[k.TURNS], row[PLY] = _read_number(fields[2]), _read_number(fields[3])
    if row[PLY] > row[k.TURNS]:
        raise BadPosition(phrase("chinese-checkers.position.turns"))
    owners = _read_holes(game, fields[0])
    if fields[1].startswith("="):
        _read_end(game, fields[1], row)
        game.kernel_module.arrange(row, owners)
    else:
        _read_turn(game, fields[1], row)
        game.kernel_module.arrange(row, owners)
        _check_goes_on(game, row)
    return row


def _read_holes(game: ChineseCheckers, text: str) -> Row:
    lines = text.split("/")
    if tuple(map(len, lines)) != WIDTHS:
        raise BadPosition(phrase("chinese-checkers.position.rows", rows="-".join(map(str, WIDTHS))))
    letters = "".join(map(letter, range(game.seats)))
    marks = "".join(lines)
    for mark in marks:
        if mark not in letters + ".":
            raise BadPosition(phrase("chinese-checkers.position.mark", mark=quoted(mark), letters=letters))
    for seat, mark in enumerate(letters):
        if marks.count(mark) != 10:
            raise BadPosition(
                phrase("chinese-checkers.position.ten", who=game.seat_name(seat), count=marks.count(mark))
            )
    return np.array([letters.find(mark) for mark in marks], np.int64)


def _read_number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text, re.ASCII):
        raise BadPosition(phrase("chinese-checkers.position.number", text=quoted(text[:20])))
    return int(text)


def _read_turn(game: ChineseCheckers, text: str, row: Row) -> None:
    letters = "".join(map(letter, range(game.seats)))
    if not re.fullmatch(rf"[{letters}](\+[{letters}])*", text):
        raise BadPosition(phrase("chinese-checkers.position.turn", text=quoted(text[:20]), letters=letters))
    turn, *finished = (letters.index(mark) for mark in text.split("+"))
    if turn != row[k.TURNS] % game.seats:
        raise BadPosition(
            phrase(
                "chinese-checkers.position.whose",
                count=int(row[k.TURNS]),
                letter=letter(int(row[k.TURNS]) % game.seats),
            )
        )
    if finished != sorted(set(finished)) or (finished and finished[-1] >= turn):
        raise BadPosition(phrase("chinese-checkers.position.finished"))
    if finished and not game.options["whole_rounds"]:
        raise BadPosition(phrase("chinese-checkers.position.overThen"))
    row[TURN] = turn
    row[k.FINISHED] = sum(1 << seat for seat in finished)


def _read_end(game: ChineseCheckers, text: str, row: Row) -> None:
    from cupboard.games.chinese_checkers.rules import REASONS

    letters = "".join(map(letter, range(game.seats)))
    found = re.fullmatch(rf"=([{letters}](?:,[{letters}])*):([a-z-]+)", text)
    if not found or found[2] not in REASONS[1:]:
        raise BadPosition(phrase("chinese-checkers.position.end", text=quoted(text[:30]), reasons=listed(*REASONS[1:])))
    winners = [letters.index(mark) for mark in found[1].split(",")]
    reason = REASONS.index(found[2])
    fits = {
        k.ONE_FINISHED: len(winners) == 1,
        k.SEVERAL_FINISHED: len(winners) > 1,
    }
    if winners != sorted(set(winners)) or not fits.get(reason, len(winners) == game.seats):
        raise BadPosition(phrase("chinese-checkers.position.winners", letters=found[1], reason=found[2]))
    _check_end(game, reason, winners, int(row[k.TURNS]))
    row[TURN] = OVER
    row[k.REASON] = reason
    if reason in fits:
        row[k.FINISHED] = sum(1 << seat for seat in winners)


def _check_end(game: ChineseCheckers, reason: int, winners: list[int], turns: int) -> None:
    """Raise BadPosition if a game with these options cannot have come to such an end after so many turns."""
    if not turns or (reason in (k.ONE_FINISHED, k.SEVERAL_FINISHED) and winners[-1] >= turns):
        raise BadPosition(phrase("chinese-checkers.position.early"))
    if reason == k.SEVERAL_FINISHED and not game.options["whole_rounds"]:
        raise BadPosition(phrase("chinese-checkers.position.alone"))
    if reason == k.REPEATED and not game.options["repetition"]:
        raise BadPosition(phrase("chinese-checkers.position.uncounted"))
    if reason == k.LIMIT_REACHED and not _limit_reached(game, turns):
        raise BadPosition(phrase("chinese-checkers.position.limit"))


def _limit_reached(game: ChineseCheckers, turns: int) -> bool:
    limits = int(game.options["turn_cap"]), int(game.options["round_cap"]) * game.seats
    return any(limit and turns >= limit for limit in limits)


def _check_goes_on(game: ChineseCheckers, row: Row) -> None:
    if _limit_reached(game, int(row[k.TURNS])):
        raise BadPosition(phrase("chinese-checkers.position.over"))
    if not game.kernel.moves(row, np.empty(game.kernel.max_moves, np.int64)):
        raise BadPosition(phrase("chinese-checkers.position.stuck", who=game.seat_name(int(row[TURN]))))

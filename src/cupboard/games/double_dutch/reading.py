"""Reading a position of Double Dutch from one line of text.

    .A/..b../…   rows from the top: A is a stone of seat A that may move, b one of seat B turned over, . none
    A            who acts; or =B:last-move, =AB:nobody-moved when the game is over

The stock and the number of moves follow from the stones: every placement and every move adds exactly one.
"""

from __future__ import annotations

import re

from cupboard.core.errors import BadPosition
from cupboard.core.game import Seat, letter
from cupboard.core.row import OVER, PLY, TURN, Row
from cupboard.core.words import listed, phrase, quoted
from cupboard.games.double_dutch.rules import REASONS, DoubleDutch, can_move


def read_row(game: DoubleDutch, text: str) -> Row:
    """The kernel's row for a line of text; BadPosition says what is wrong with it."""
    fields = text.split()
    if len(fields) != 2:
        raise BadPosition(phrase("double-dutch.position.words"))
    row = game.start().row.copy()
    _read_stones(game, fields[0], row)
    _check_stones(game, fields[0])
    _read_turn(game, fields[1], row)
    return row


def _read_stones(game: DoubleDutch, text: str, row: Row) -> None:
    kernel = game.kernel_module
    cells = game.board
    lines = text.split("/")
    shape = "-".join(str(len(line)) for line in cells.rows)
    if [len(line) for line in lines] != [len(line) for line in cells.rows]:
        raise BadPosition(phrase("double-dutch.position.rows", rows=shape))
    letters = "".join(map(letter, range(game.seats)))
    for line, bits in zip(lines, cells.rows, strict=True):
        for mark, bit in zip(line, bits, strict=True):
            if mark == ".":
                continue
            if mark.upper() not in letters:
                raise BadPosition(
                    phrase("double-dutch.position.mark", mark=quoted(mark), letters=letters + letters.lower())
                )
            seat = letters.index(mark.upper())
            row[(kernel.FLAT if mark.isupper() else kernel.TURNED) + seat] |= 1 << bit
            row[kernel.EMPTY] ^= 1 << bit
            row[kernel.STOCK + seat] -= 1
            row[PLY] += 1


def _check_stones(game: DoubleDutch, text: str) -> None:
    placed = sum(text.count(letter(seat)) for seat in range(game.seats))
    for seat in range(game.seats):
        name, flat, turned = game.seat_name(seat), text.count(letter(seat)), text.count(letter(seat).lower())
        if flat + turned > game.stock:
            raise BadPosition(phrase("double-dutch.position.stock", who=name, count=game.stock))
        if turned and not flat:
            raise BadPosition(phrase("double-dutch.position.turned", who=name))
        if not flat and any(text.count(letter(later)) for later in range(seat + 1, game.seats)):
            raise BadPosition(phrase("double-dutch.position.order", who=name))
        if flat + turned > 1 and (placed < game.seats or not all(letter(other) in text for other in range(game.seats))):
            raise BadPosition(phrase("double-dutch.position.first"))


def _read_turn(game: DoubleDutch, text: str, row: Row) -> None:
    movers = [seat for seat in range(game.seats) if can_move(game, row, seat)]
    if found := re.fullmatch(r"=([A-C]+):([a-z-]+)", text):
        _read_end(game, found[1], found[2], row)
        if movers or row[PLY] < game.seats:
            seat = movers[0] if movers else int(row[PLY])
            raise BadPosition(phrase("double-dutch.position.goesOn", who=game.seat_name(seat)))
        return
    letters = [letter(seat) for seat in range(game.seats)]
    if text not in letters:
        raise BadPosition(phrase("double-dutch.position.turn", text=quoted(text[:20]), letters=listed(*letters)))
    seat = letters.index(text)
    if row[PLY] < game.seats:
        if seat != row[PLY]:
            raise BadPosition(phrase("double-dutch.position.places", who=game.seat_name(int(row[PLY]))))
    elif seat not in movers:
        raise BadPosition(phrase("double-dutch.position.sits", who=game.seat_name(seat)))
    row[TURN] = seat


def _read_end(game: DoubleDutch, winners: str, reason: str, row: Row) -> None:
    kernel = game.kernel_module
    if reason not in REASONS[1:]:
        raise BadPosition(phrase("double-dutch.position.reason", reason=quoted(reason[:20])))
    everybody = "".join(letter(seat) for seat in range(game.seats))
    row[TURN] = OVER
    if reason == "nobody-moved":
        if winners != everybody or row[PLY] != game.seats:
            raise BadPosition(phrase("double-dutch.position.nobodyMoved"))
        return
    winner: Seat = everybody.find(winners)
    if len(winners) != 1 or winner < 0 or game.stock - row[kernel.STOCK + winner] < 2:
        raise BadPosition(phrase("double-dutch.position.winner"))
    row[kernel.WINNER] = winner

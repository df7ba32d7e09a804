"""A position of Cup King in one line, as reading.py takes it.

Eight words: pyramids, hands, open cards (each for seats A;B;…), discards, round, what happens now, match, moves made.

    RYGBP/RYGB/RYG/RY/B;… R1R5Y2…;… R7R3;- G1G4 >R B 1:0,0 12

Pyramids go row by row from the base, `.` for a gap; a bucket that is not in its place has six numbers behind it, in
brackets (poses.py). `-` is nothing. The round is its direction and colour, `>-` before its first cards. What happens is
a seat's letter when it plays, else deal, build, reveal, lot, draw-A:2, offer-A:1, settle-A:c2:gentle (the flick as in
notation), keep-A (keep-A:a2 with a break beside a2), discard-A or over. The match is the number of the game and the
buckets of finished games. The draw pile is what is left of the deck. Views write `?` for a hidden pyramid and `?10` for
a hidden hand.
"""

from __future__ import annotations

from itertools import islice

from cupboard.core.game import Seat, letter
from cupboard.core.row import TURN
from cupboard.games.cup_king import layout as k
from cupboard.games.cup_king.moment import Moment
from cupboard.games.cup_king.moves import SLOTS
from cupboard.games.cup_king.poses import Pose


def write(moment: Moment) -> str:
    """The line that describes a position, or what a view knows of one."""
    seats = range(moment.game.seats)
    words = [
        ";".join(_pyramid(moment, seat) for seat in seats),
        ";".join(_hand(moment, seat) for seat in seats),
        ";".join("".join(moment.open_cards(seat)) or "-" for seat in seats),
        "".join(moment.discards) or "-",
        (">" if moment.clockwise else "<") + (moment.asked or "-"),
        _what(moment),
        f"{moment.game_number}:{','.join(str(moment.total(seat)) for seat in seats)}",
        str(moment.ply),
    ]
    return " ".join(words)


def _pyramid(moment: Moment, seat: Seat) -> str:
    colours = moment.colours(seat)
    if not colours or "?" in colours.values():
        return "?" if colours else "-"
    slots = [i for i in range(k.SLOTS) if k.whole_of(moment.game.seats) >> i & 1]
    letters = iter([colours.get(SLOTS[i], ".") + _pose(moment.pose(seat, i)) for i in slots])
    return "/".join("".join(islice(letters, width)) for width in range(moment.width, 0, -1))


def _pose(pose: Pose) -> str:
    return f"({','.join(map(str, pose))})" if any(pose) else ""


def _hand(moment: Moment, seat: Seat) -> str:
    cards, held = moment.hand(seat), moment.held(seat)
    return f"?{held}" if len(cards) != held else "".join(cards) or "-"


def _what(moment: Moment) -> str:
    actor = letter(moment.served)
    if moment.is_over:
        return "over"
    return {
        k.DEALING: "deal",
        k.BUILDING: "build",
        k.REVEALING: "reveal",
        k.LOT: "lot",
        k.PLAYING: letter(max(int(moment.row[TURN]), 0)),
        k.DRAWING: f"draw-{actor}:{moment.due}",
        k.OFFERED: f"offer-{actor}:{moment.due}",
        k.SETTLING: f"settle-{actor}:{str(moment.shot)[1:]}",
        k.KEEPING: f"keep-{actor}" + (f":{','.join(moment.breaks)}" if moment.breaks else ""),
        k.PUTTING_AWAY: f"discard-{actor}",
    }[moment.phase]

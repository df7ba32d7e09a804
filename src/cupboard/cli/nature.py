"""Nature's moves at the terminal: drawn by lot or simulated, and shown as what stood before and what stands after."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from rich.text import Text

from cupboard.cli.language import told
from cupboard.cli.terminal import say, spinner
from cupboard.cli.terminal_board import draw_parts
from cupboard.core.game import CHANCE
from cupboard.core.words import phrase

if TYPE_CHECKING:
    from cupboard.core.game import Move, Position, Seat
    from cupboard.core.match import Match
    from cupboard.core.random_source import Luck
    from cupboard.core.scene import Part

_BETWEEN = "   →   "


def let_nature_act(match: Match, rng: Luck) -> bool:
    """Let nature make its moves until a seat is to act or the game is over. Returns whether one was simulated."""
    has_simulated = False
    while match.position.to_act == (CHANCE,):
        position = match.position
        has_simulated |= position.is_simulated
        match.play(_simulated(position, rng) if position.is_simulated else position.chance(rng), CHANCE)
    return has_simulated


def _simulated(position: Position[Any], rng: Luck) -> Move:
    """What a simulation finds; when it fails, what the rules have for that, and the reason is printed."""
    move: Move
    try:
        with spinner(f"{told(position.scene().status)} …"):
            move = position.simulate(rng).move
    except Exception as error:  # whatever a physics engine may raise: the game must go on
        say(told(phrase("terminal.simulation", why=f"{type(error).__name__}: {error}")), style="bold")
        move = position.unsimulated()
    return move


def before_and_after(match: Match, n: int, viewer: Seat | None) -> Text | None:
    """What a simulated move, entry `n` of the log, has done to the things of its owner; None for all other moves."""
    before = match.position_at(n)
    if not before.is_simulated:
        return None
    cause = next(entry for entry in reversed(match.log[:n]) if entry.seat != CHANCE)
    stood, stands = before.seen_by(viewer).scene(), match.position_at(n + 1).seen_by(viewer).scene()

    def own(parts: tuple[Part, ...]) -> tuple[Part, ...]:
        return tuple(part for part in parts if part.owner == cause.seat and part.role == "place")

    marked = stood.after(cause.move.spots())
    left = draw_parts(replace(marked, parts=own(stood.parts)))
    right = draw_parts(replace(stands, parts=own(stands.parts), marks=()))
    width = max(line.cell_len for line in left)
    return Text("\n").join(_beside(left, right, width))


def _beside(left: list[Text], right: list[Text], width: int) -> list[Text]:
    """Two drawings side by side, with an arrow from one to the other in the middle line."""
    lines = []
    for n, (one, other) in enumerate(zip_longest(left, right, fillvalue=Text())):
        gap = _BETWEEN if n == len(left) // 2 else " " * len(_BETWEEN)
        line = Text.assemble(one, " " * (width - one.cell_len), gap, other)
        line.rstrip()
        lines.append(line)
    return lines

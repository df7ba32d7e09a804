"""Scenes as plain text: one renderer for every game, in lines of styled spans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cupboard.core.scene import Cell, Mark, Piece, PlayerPanel, Scene, Tint
from cupboard.core.words import phrase, say

COLUMNS = 4
"""Characters per unit of x."""
_SEEN = 300
"""A piece so many hundredths of a millimetre to a side of its place, or before or behind it, is seen to be shifted."""


@dataclass(frozen=True)
class Span:
    """Some characters of one style."""

    text: str
    tint: Tint | None = None
    dim: bool = False
    mark: str = ""
    """The kind of mark on the cell, if any."""


def draw(scene: Scene) -> str:
    """The scene in plain characters, in English."""
    return "\n".join("".join(span.text for span in line).rstrip() for line in lines(scene))


def lines(scene: Scene, language: str = "en") -> list[list[Span]]:
    """The scene line by line: players, board, status."""
    return [*_players(scene, language), [], *board_lines(scene, language), [], [Span(say(scene.status, language))]]


def _players(scene: Scene, language: str) -> Iterable[list[Span]]:
    for player in scene.players:
        tint = scene.tint(player.tint)
        extra = "  ".join(beside(player, language))
        yield [
            Span("> " if player.acts else "  "),
            Span(f"{tint.shape} {say(player.name, language)}", tint),
            Span(f"  {extra}" if extra else "", dim=True),
        ]


def beside(player: PlayerPanel, language: str = "en") -> list[str]:
    """What is said of a player after the name: the counts, then the note."""
    counts = [f"{say(phrase(key), language)} {say(value, language)}" for key, value in player.counts.items()]
    return counts + ([say(player.note, language)] if player.note else [])


def board_lines(scene: Scene, language: str = "en") -> list[list[Span]]:
    """The parts of the scene line by line."""
    stacks: dict[str, list[Piece]] = {}
    for piece in sorted(scene.pieces, key=lambda piece: piece.level):
        stacks.setdefault(piece.spot, []).append(piece)
    marks, tints = {mark.spot: mark for mark in scene.marks}, {tint.name: tint for tint in scene.tints}
    left = min([cell.x for cell in scene.cells] + [label.x for label in scene.labels], default=0.0)

    placed: list[tuple[int, int, Span]] = []
    row = 0
    heights = {round(cell.y, 2) for cell in scene.cells} | {round(label.y, 2) for label in scene.labels}
    for y in sorted(heights):
        here = [cell for cell in scene.cells if round(cell.y, 2) == y]
        row += max((len(stacks.get(cell.spot, ())) for cell in here if cell.shape == "square"), default=0)
        for cell in here:
            column = round((cell.x - left) * COLUMNS)
            for above, span in _cell(cell, stacks.get(cell.spot, []), marks.get(cell.spot), tints):
                placed.append((row - above, column, span))
        for label in scene.labels:
            if round(label.y, 2) == y:
                placed.append((row, round((label.x - left) * COLUMNS), Span(say(label.text, language), dim=True)))
        row += 1
    return _grid(placed)


def _cell(cell: Cell, stack: list[Piece], mark: Mark | None, tints: dict[str, Tint]) -> Iterable[tuple[int, Span]]:
    """What is printed for a cell: how many lines above its own, and the characters."""
    kind, tint = mark.kind if mark else "", tints.get(cell.tint)
    if cell.shape == "square":
        for level, piece in enumerate(stack, start=1):
            yield level, Span(_glyph(piece, tints.get(piece.tint), ""), tints.get(piece.tint), mark=kind)
        yield 0, Span(cell.label or "·", tint, dim=tint is None, mark=kind)
    elif stack:
        top = tints.get(stack[-1].tint)
        yield 0, Span(_glyph(stack[-1], top, cell.label) + "~" * is_shifted(stack[-1]), top, mark=kind)
    else:
        yield 0, Span(f"·{cell.label}", dim=True, mark=kind)


def is_shifted(piece: Piece) -> bool:
    """Whether anybody can see that a piece is not quite in its place: it is drawn with a ~ behind it."""
    return bool(piece.pose) and max(map(abs, piece.pose[:2])) >= _SEEN


def _glyph(piece: Piece, tint: Tint | None, label: str) -> str:
    if tint is None:
        return "▒" + piece.text
    if piece.text:
        return tint.letter + piece.text
    # A turned half-sphere never moves again: its ring shows that it is fixed.
    return f"({tint.letter})" if piece.kind == "turned" else tint.shape + (label or tint.letter)


def _grid(placed: list[tuple[int, int, Span]]) -> list[list[Span]]:
    if not placed:
        return []
    first = min(row for row, _, _ in placed)
    out: list[list[Span]] = []
    for row in range(first, max(row for row, _, _ in placed) + 1):
        line: list[Span] = []
        column = -2
        for _, start, span in sorted((item for item in placed if item[0] == row), key=lambda item: item[1]):
            line.append(Span(" " * max(start - column, 0 if column < 0 else 1)))
            line.append(span)
            column = max(start, column) + len(span.text)
        out.append(line)
    return out

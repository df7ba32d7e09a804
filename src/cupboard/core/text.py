"""Scenes as plain text: one renderer for every game, in lines of styled spans."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from cupboard.core.scene import Cell, Mark, Piece, Player, Scene, Tint
from cupboard.core.words import phrase, say

COLUMNS = 4
"""Characters per unit of x."""


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


def lines(scene: Scene) -> list[list[Span]]:
    """The scene line by line: players, board, status."""
    return [*_players(scene), [], *_board(scene), [], [Span(str(scene.status))]]


def _players(scene: Scene) -> Iterable[list[Span]]:
    for player in scene.players:
        extra = "  ".join(beside(player))
        yield [
            Span("> " if player.acts else "  "),
            Span(f"{player.tint.shape} {player.name}", player.tint),
            Span(f"  {extra}" if extra else "", dim=True),
        ]


def beside(player: Player, language: str = "en") -> list[str]:
    """What is said of a player after the name: the counts, then the note."""
    counts = [f"{say(phrase(key), language)} {say(value, language)}" for key, value in player.counts.items()]
    return counts + ([say(player.note, language)] if player.note else [])


def _board(scene: Scene) -> list[list[Span]]:
    stacks: dict[str, list[Piece]] = {}
    for piece in sorted(scene.pieces, key=lambda piece: piece.level):
        stacks.setdefault(piece.spot, []).append(piece)
    marks = {mark.spot: mark for mark in scene.marks}
    left = min([cell.x for cell in scene.cells] + [label.x for label in scene.labels], default=0.0)

    placed: list[tuple[int, int, Span]] = []
    row = 0
    heights = {round(cell.y, 2) for cell in scene.cells} | {round(label.y, 2) for label in scene.labels}
    for y in sorted(heights):
        here = [cell for cell in scene.cells if round(cell.y, 2) == y]
        row += max((len(stacks.get(cell.spot, ())) for cell in here if cell.shape == "square"), default=0)
        for cell in here:
            column = round((cell.x - left) * COLUMNS)
            placed += _cell(cell, stacks.get(cell.spot, []), marks.get(cell.spot), row, column)
        for label in scene.labels:
            if round(label.y, 2) == y:
                placed.append((row, round((label.x - left) * COLUMNS), Span(str(label.text), dim=True)))
        row += 1
    return _grid(placed)


def _cell(cell: Cell, stack: list[Piece], mark: Mark | None, row: int, column: int) -> Iterable[tuple[int, int, Span]]:
    kind = mark.kind if mark else ""
    if cell.shape == "square":
        for level, piece in enumerate(stack, start=1):
            yield row - level, column, Span(_glyph(piece, ""), piece.tint, mark=kind)
        yield row, column, Span(cell.label or "·", cell.tint, dim=cell.tint is None, mark=kind)
    elif stack:
        yield row, column, Span(_glyph(stack[-1], cell.label), stack[-1].tint, mark=kind)
    else:
        yield row, column, Span(f"·{cell.label}", dim=True, mark=kind)


def _glyph(piece: Piece, label: str) -> str:
    if piece.tint is None:
        return "▒" + piece.text
    if piece.text:
        return piece.tint.letter + piece.text
    # A turned half-sphere never moves again: its ring shows that it is fixed.
    shape = f"({piece.tint.letter})" if piece.kind == "turned" else piece.tint.shape
    return shape + ("" if piece.kind == "turned" else label or piece.tint.letter)


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

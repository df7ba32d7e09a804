"""Boards for the terminal: the text drawing of a scene in colour. It can be read without colour, too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from rich.text import Text

from cupboard.cli.language import spoken, told
from cupboard.core.scene_text import Span, board_lines, lines
from cupboard.core.words import phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cupboard.core.game import Seat
    from cupboard.core.match import Match
    from cupboard.core.scene import Scene

_MARKS = {"from": "underline", "path": "underline", "to": "bold", "danger": "bold underline"}


def draw_board(scene: Scene, names: Sequence[str] = ()) -> Text:
    """The drawing of a scene, to be printed; `names` are put beside the colours of the seats."""
    *rest, status = lines(with_names(scene, names), spoken())
    text = Text("\n").join(_line(line) for line in rest)
    return Text.assemble(text, "\n", ("".join(span.text for span in status), "bold"))


def draw_parts(scene: Scene) -> list[Text]:
    """The parts of a scene line by line, without its players and its status."""
    return [_line(line) for line in board_lines(scene, spoken())]


def with_names(scene: Scene, names: Sequence[str]) -> Scene:
    """A copy of the scene with the players' names beside the colours of their seats; empty names are left out."""
    called = dict(enumerate(names))
    players = (
        replace(player, name=phrase("plain", text=f"{told(player.name)} · {called[player.seat]}"))
        if called.get(player.seat)
        else player
        for player in scene.players
    )
    return replace(scene, players=tuple(players))


def scene_of(match: Match, viewer: Seat | None, n: int | None = None, truth: bool = False) -> Scene:
    """The scene after `n` entries of the log (None: all) as `viewer` sees it, with the last move marked.

    A viewer of None is a spectator. With `truth` nothing is hidden.
    """
    count = len(match.log) if n is None else n
    position = match.position_at(count)
    state: Any = position if truth else position.seen_by(viewer)
    scene: Scene = state.scene()
    last = next((entry for entry in reversed(match.log[:count]) if entry.seat >= 0), None)
    if last is None:
        return scene
    move = last.move if truth else last.move.seen_by(viewer)
    return scene.after(move.spots())


def _line(spans: list[Span]) -> Text:
    """One line of the board; brackets around a cell show where the last move went, even without colour."""
    words = [span.text for span in spans] + [" "]
    for n, span in enumerate(spans):
        if span.mark == "to" and n > 0 and not words[n - 1].strip("[] "):
            words[n - 1] = words[n - 1][:-1] + "["
            if not words[n + 1].strip():
                words[n + 1] = "]" + words[n + 1][1:]
    line = Text()
    for word, span in zip(words, [*spans, Span("")], strict=True):
        line.append(word, _style(span))
    line.rstrip()
    return line


def _style(span: Span) -> str:
    words = [_MARKS[span.mark]] if span.mark else []
    if span.tint is None:
        words += ["dim"] if span.dim and not span.mark else []
    elif span.tint.shape in span.text or span.tint.letter in span.text:
        # A piece: its own ink on its own colour can be read on a light and on a dark terminal.
        words += ["bold", f"{span.tint.ink} on {span.tint.fill}"]
    else:
        words += [span.tint.fill]
    return " ".join(words)

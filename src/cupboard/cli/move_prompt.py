"""The prompt for a move: listing the legal moves, completing what is typed, and guessing at misspelt moves."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from cupboard.cli import aim_prompt
from cupboard.cli.language import told
from cupboard.core.words import either, phrase, quoted

if TYPE_CHECKING:
    from cupboard.core.aiming import Aiming

MANY = 2000
"""More moves than this are neither listed nor completed: there may be millions of them."""
COMMANDS = ("help", "moves", "hint", "undo", "board", "rules", "save", "quit")
"""What can be written instead of a move; the catalogue says of each what it does, under terminal.help."""
_WIDTH = 76
_LINES = 3


def _notations(moves: Sequence[Any]) -> list[str] | None:
    """The moves in notation, or None if there are too many to list."""
    return [str(move) for move in moves] if len(moves) <= MANY else None


def short_list(moves: Sequence[Any], aiming: Aiming | None = None) -> str:
    """The moves in at most a few lines: all of them, or their beginnings, or the first of them.

    Moves that aim at one thing are one word, `-c2…`."""
    listed = _notations(moves)
    if listed is None:
        return told(phrase("terminal.tooMany", count=len(moves)))
    if len(listed) == 1:
        return told(phrase("terminal.oneMove", move=listed[0]))
    if aiming:
        return _aimed_list(moves, aiming)
    whole = _wrap(told(phrase("terminal.moves", count=len(listed))), listed)
    if len(whole) <= _LINES:
        return "\n".join(whole)
    starts: dict[str, list[str]] = {}
    for move, text in zip(moves, listed, strict=True):
        first = move.spots()[0]
        starts.setdefault(first if text.startswith(first) else text, []).append(text)
    grouped = [f"{start}… ({len(group)})" if len(group) > 1 else group[0] for start, group in starts.items()]
    few = _wrap(told(phrase("terminal.beginnings", count=len(listed))), grouped)
    if len(starts) * 2 <= len(listed) and len(few) <= _LINES:
        return "\n".join([*few, told(phrase("terminal.listAll"))])
    return "\n".join([*whole[:_LINES], told(phrase("terminal.more", count=len(listed)))])


def _aimed_list(moves: Sequence[Any], aiming: Aiming) -> str:
    words, usual = aim_prompt.grouped(aiming, moves)
    head = told(phrase("terminal.moves", count=len(moves)))
    whole = _wrap(head, words)
    # What is aimed at stands last, and must be seen: rather leave out some of the other moves.
    if len(whole) > _LINES:
        aimed = [word for word in words if word.endswith("…")]
        whole = [*_wrap(head, words[: -len(aimed)])[: _LINES - 1], *_wrap("…", aimed)]
    start = usual[0].partition(":")[0]
    return "\n".join(
        [
            *whole,
            *_wrap(
                told(phrase("terminal.aim.usual", start=f"{start}…")),
                [*usual, told(phrase("terminal.aim.freely", name=aiming.names[0]))],
            ),
        ]
    )


def full_list(moves: Sequence[Any], beginning: str) -> str:
    """A list of all moves whose notation begins with `beginning`."""
    listed = _notations(moves)
    if listed is None:
        return told(phrase("terminal.longList", count=len(moves), move=str(moves[0])))
    found = [text for text in listed if text.lower().startswith(beginning.lower())]
    if not found:
        return told(phrase("terminal.noneBegins", start=quoted(beginning[:40])))
    count = len(found)
    words = (
        phrase("terminal.movesFrom", count=count, start=beginning)
        if beginning
        else phrase("terminal.moves", count=count)
    )
    return "\n".join(_wrap(told(words), found))


def did_you_mean(text: str, moves: Sequence[Any], sentence: str) -> str:
    """`Did you mean …?` with the nearest moves; empty if none is near or `sentence` names one already."""
    listed = _notations(moves) or []
    low = text.strip().lower()
    near = [move for move in listed if low and move.lower().startswith(low)]
    near = near or get_close_matches(low, [*listed, *COMMANDS], 3, 0.5)
    if not near or any(move in sentence for move in near):
        return ""
    return told(phrase("terminal.didYouMean", moves=either(*near[:3])))


def completions(typed: str, moves: Sequence[Any]) -> Iterable[str]:
    """The moves and commands that begin with the typed text; after `moves `, only moves."""
    command, space, rest = typed.partition(" ")
    listed = _notations(moves) or [str(moves[0])]
    if space:
        return [f"moves {text}" for text in listed if text.startswith(rest)] if command == "moves" else []
    return [word for word in (*listed, *COMMANDS) if word.lower().startswith(typed.lower())]


def _wrap(head: str, words: Sequence[str]) -> list[str]:
    line = f"{head} {'  '.join(words)}"
    return textwrap.wrap(line, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)

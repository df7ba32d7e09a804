"""The prompt for a move: listing the legal moves, completing what is typed, and guessing at misspelt moves."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from cupboard.cli import aim_prompt

if TYPE_CHECKING:
    from cupboard.core.aiming import Aiming

MANY = 2000
"""More moves than this are neither listed nor completed: there may be millions of them."""
COMMANDS = {
    "help": "this list",
    "moves": "all legal moves; `moves 5` those that begin with 5",
    "hint": "what a quick bot would do",
    "undo": "take back your last move and all that came after it",
    "board": "show the board again",
    "rules": "the rules of the game",
    "save": "`save FILE`: keep the game in that file from now on",
    "quit": "stop; the game is kept, to go on later",
}
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
        return f"{len(moves):,} legal moves: too many to list."
    if len(listed) == 1:
        return f"One legal move: {listed[0]}."
    if aiming:
        return _aimed_list(moves, aiming)
    whole = _wrap(f"{len(listed)} legal moves:", listed)
    if len(whole) <= _LINES:
        return "\n".join(whole)
    starts: dict[str, list[str]] = {}
    for move, text in zip(moves, listed, strict=True):
        first = move.spots()[0]
        starts.setdefault(first if text.startswith(first) else text, []).append(text)
    grouped = [f"{start}… ({len(group)})" if len(group) > 1 else group[0] for start, group in starts.items()]
    few = _wrap(f"{len(listed)} legal moves, by their beginning:", grouped)
    if len(starts) * 2 <= len(listed) and len(few) <= _LINES:
        return "\n".join([*few, "`moves` lists all, `moves` with a beginning those that begin so."])
    return "\n".join([*whole[:_LINES], f"… `moves` lists all {len(listed)}."])


def _aimed_list(moves: Sequence[Any], aiming: Aiming) -> str:
    words, usual = aim_prompt.grouped(aiming, moves)
    whole = _wrap(f"{len(moves)} legal moves:", words)
    # What is aimed at stands last, and must be seen: rather leave out some of the other moves.
    if len(whole) > _LINES:
        aimed = [word for word in words if word.endswith("…")]
        whole = [*_wrap(f"{len(moves)} legal moves:", words[: -len(aimed)])[: _LINES - 1], *_wrap("…", aimed)]
    start = usual[0].partition(":")[0]
    return "\n".join(
        [*whole, *_wrap(f"{start}… is", [*usual, f"or aimed freely: see `help`, `aim {aiming.names[0]}`."])]
    )


def full_list(moves: Sequence[Any], beginning: str) -> str:
    """A list of all moves whose notation begins with `beginning`."""
    listed = _notations(moves)
    if listed is None:
        return f"{len(moves):,} moves are too many to list. One of them is {moves[0]}."
    found = [text for text in listed if text.lower().startswith(beginning.lower())]
    if not found:
        return f"No legal move begins with {beginning[:40]!r}."
    words = f"{len(found)} legal move{'s' * (len(found) > 1)}" + (f" from {beginning}:" if beginning else ":")
    return "\n".join(_wrap(words, found))


def did_you_mean(text: str, moves: Sequence[Any], sentence: str) -> str:
    """`Did you mean …?` with the nearest moves; empty if none is near or `sentence` names one already."""
    listed = _notations(moves) or []
    low = text.strip().lower()
    near = [move for move in listed if low and move.lower().startswith(low)]
    near = near or get_close_matches(low, [*listed, *COMMANDS], 3, 0.5)
    if not near or any(move in sentence for move in near):
        return ""
    return f"Did you mean {' or '.join(near[:3])}?"


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

"""Records: a played game as text or JSON that people read and programs replay.

    [Game "jumping-cups"]
    [Seats "2"]
    [Option "starter=random"]
    [A "Anna"]
    [Date "2026-11-15"]

    *:lot-A
    1. A:5-6 B:10-9
    2. A:6-7 {over the yellow cup} B:9-8
    = *

Tags come first; then every move as seat:notation, nature's with `*`; a new number whenever a seat moves that has
already moved on the line. Braces hold comments. The last line is the result: the winners' letters and the reason,
or `*` while the game is not over. A record replays without a seed. docs/record.md has the whole grammar.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from cupboard.core.errors import BadNotation, BadRecord, CupboardError
from cupboard.core.game import CHANCE, Game, Seat, letter
from cupboard.core.match import Match
from cupboard.core.notation import read_joined, tidy
from cupboard.core.registry import load_with
from cupboard.core.words import phrase, quoted

UNFINISHED = "*"
_TAG = re.compile(r'\[([A-Z][A-Za-z]*) "((?:[^"\\]|\\["\\])*)"\]')
_TOKEN = re.compile(r"\{([^{}]*)\}|(\d+\.)(?= |$)|([A-F*]): ?([^ {}].*?)(?= ?\{| [A-F*]:| \d+\.(?: |$)| = |$)|= (\S.*)")
"""The tokens of a line with single blanks. A move ends where the next token begins, so blanks in it are forgiven."""
_MAX_CHARS = 1_000_000


@dataclass(frozen=True)
class RecordedMove:
    """One move of a record, in notation."""

    seat: Seat
    text: str
    comment: str = ""
    line: int = field(default=0, compare=False, repr=False)
    """The line of the text that it was read from; 0 for a move that was not read."""


@dataclass(frozen=True)
class Record:
    """A played game, finished or not."""

    game: Game[Any]
    moves: tuple[RecordedMove, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    """The players' names under A, B …, and anything else: Date, Event, Comment."""
    result: str = UNFINISHED

    @classmethod
    def of(cls, match: Match, **tags: str) -> Record:
        """The record of what has been played in `match` so far."""
        names = {letter(seat): name for seat, name in enumerate(match.names)}
        moves = tuple(RecordedMove(entry.seat, str(entry.move)) for entry in match.log)
        return cls(match.game, moves, names | tags, _result(match))

    def replay(self) -> Match:
        """The match in which these moves are made again; BadRecord names the first that breaks a rule."""
        names = [self.tags.get(letter(seat), "") for seat in range(self.game.seats)]
        match = Match(self.game, names if any(names) else ())
        for n, move in enumerate(self.moves, start=1):
            try:
                match.play(move.text, move.seat)
            except CupboardError as error:
                said = f"{letter(move.seat)}:{move.text[:60]}"
                key = "record.illegal.line" if move.line else "record.illegal"
                why = error.words or str(error)
                raise BadRecord(phrase(key, n=n, line=move.line, move=said, why=why)) from error
        if self.result not in (UNFINISHED, _result(match)):
            raise BadRecord(phrase("record.otherResult", said=self.result, found=_result(match)))
        return match

    # Text.

    @classmethod
    def read(cls, text: str) -> Record:
        """The record a text holds. The moves are not played yet: `replay` does that."""
        if len(text) > _MAX_CHARS:
            raise BadRecord(phrase("record.long"))
        tags: list[tuple[str, str]] = []
        moves: list[RecordedMove] = []
        result = ""
        for number, line in enumerate(text.splitlines(), start=1):
            if not moves and (tag := _TAG.fullmatch(line.strip())):
                tags.append((tag[1], re.sub(r'\\(["\\])', r"\1", tag[2])))
                continue
            squeezed = " ".join(line.split())
            if squeezed and result:
                raise BadRecord(phrase("record.after", line=number))
            result = _read_line(squeezed, number, moves)
        game = _read_game(tags)
        plain = tuple(_plain_move(game, move) for move in moves)
        return cls(game, plain, _other_tags(tags), result or UNFINISHED)

    def __str__(self) -> str:
        tags = [("Game", self.game.name), ("Seats", str(self.game.seats))]
        tags += [("Option", f"{name}={_plain(value)}") for name, value in self.game.options.items()]
        tags += list(self.tags.items())
        escaped = ((name, re.sub(r'(["\\])', r"\\\1", value)) for name, value in tags)
        head = "\n".join(f'[{name} "{value}"]' for name, value in escaped)
        return f"{head}\n\n{_write_moves(self.moves)}= {self.result}\n"

    # JSON.

    def to_json(self) -> dict[str, object]:
        """The record as plain data, which `from_json` takes back."""
        return {
            "game": self.game.name,
            "seats": self.game.seats,
            "options": dict(self.game.options),
            "tags": dict(self.tags),
            "moves": [
                [letter(m.seat), m.text, m.comment] if m.comment else [letter(m.seat), m.text] for m in self.moves
            ],
            "result": self.result,
        }

    @classmethod
    def from_json(cls, data: object) -> Record:
        """The record `to_json` wrote; BadRecord says what is missing or of the wrong kind."""
        match data:
            case {"game": str(name), "seats": int(seats), "options": dict(options), "moves": list(moves), **rest}:
                tags, result = rest.get("tags", {}), rest.get("result", UNFINISHED)
            case _:
                raise BadRecord(phrase("record.fields"))
        if not isinstance(tags, dict) or not all(
            isinstance(k, str) and _is_tag(k, v) and k not in ("Game", "Seats", "Option") for k, v in tags.items()
        ):
            raise BadRecord(phrase("record.tags"))
        if not isinstance(result, str) or not _RESULT.fullmatch(result):
            raise BadRecord(phrase("record.badResult"))
        try:
            game = load_with(name, seats, {str(key): value for key, value in options.items()})
        except CupboardError as error:
            raise BadRecord(error.words or str(error)) from error
        read = tuple(_move_from_json(n, move) for n, move in enumerate(moves, start=1))
        return cls(game, read, tags, _plain_result(result))


_RESULT = re.compile(r"\*|[A-F]([,+][A-F])* [a-z-]+")


def _result(match: Match) -> str:
    outcome = match.position.outcome()
    if outcome is None:
        return UNFINISHED
    return f"{','.join(letter(seat) for seat in outcome.winners)} {outcome.reason}"


def _plain_result(result: str) -> str:
    """The result with several winners written A,B, where A+B is forgiven."""
    winners, _, reason = result.partition(" ")
    return f"{','.join(sorted(set(re.split('[,+]', winners))))} {reason}" if reason else result


def _plain_move(game: Game[Any], move: RecordedMove) -> RecordedMove:
    """The move in plain notation, without typed dashes and blanks, whether it is legal or not."""
    text = tidy(move.text)
    if " " in text:
        try:
            text = str(read_joined(game.read_move, text, game.JOINERS))
        except BadNotation as error:
            raise BadRecord(phrase("record.badMove", line=move.line, why=error.words or str(error))) from error
    return move if text == move.text else RecordedMove(move.seat, text, move.comment, move.line)


def _plain(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seat(text: str) -> Seat:
    return CHANCE if text == "*" else ord(text) - ord("A")


def _write_moves(moves: tuple[RecordedMove, ...]) -> str:
    lines: list[str] = []
    moved: set[Seat] = set()
    number = 0
    for move in moves:
        word = f"{letter(move.seat)}:{move.text}" + (f" {{{move.comment}}}" if move.comment else "")
        if move.seat != CHANCE and (move.seat in moved or not moved):
            number += 1
            moved = {move.seat}
            lines.append(f"{number}. {word}")
        else:
            moved |= {move.seat} - {CHANCE}
            # Nature's moves before the first of a seat stand on lines of their own.
            if number:
                lines[-1] += f" {word}"
            else:
                lines.append(word)
    return "".join(f"{line}\n" for line in lines)


def _read_line(line: str, number: int, moves: list[RecordedMove]) -> str:
    """Add the moves of a line to `moves`; return the result if the line holds it, else ""."""
    at = 0
    while at < len(line):
        if line[at] == " ":
            at += 1
            continue
        token = _TOKEN.match(line, at)
        if token is None:
            raise BadRecord(phrase("record.noMove", line=number, text=quoted(line[at : at + 30])))
        comment, _, seat, text, result = token.groups()
        if result is not None:
            if not _RESULT.fullmatch(result):
                raise BadRecord(phrase("record.result", line=number))
            return _plain_result(result)
        if comment is not None:
            if not moves:
                raise BadRecord(phrase("record.comment", line=number))
            last = moves[-1]
            joined = f"{last.comment} {comment.strip()}".strip()
            moves[-1] = RecordedMove(last.seat, last.text, joined, last.line)
        elif seat is not None:
            moves.append(RecordedMove(_seat(seat), text, line=number))
        at = token.end()
    return ""


def _read_game(tags: list[tuple[str, str]]) -> Game[Any]:
    plain = dict(tags)
    if "Game" not in plain:
        raise BadRecord(phrase("record.noGame"))
    options = dict(value.partition("=")[::2] for name, value in tags if name == "Option")
    seats = plain.get("Seats")
    if seats is not None and not re.fullmatch(r"[0-9]{1,3}", seats):
        raise BadRecord(phrase("record.seats", text=quoted(seats[:20])))
    try:
        return load_with(plain["Game"], None if seats is None else int(seats), options)
    except CupboardError as error:
        raise BadRecord(error.words or str(error)) from error


def _other_tags(tags: list[tuple[str, str]]) -> dict[str, str]:
    return {name: value for name, value in tags if name not in ("Game", "Seats", "Option")}


def _is_tag(name: str, value: object) -> bool:
    return bool(
        isinstance(value, str) and re.fullmatch(r"[A-Z][A-Za-z]*", name) and value.splitlines() in ([], [value])
    )


def _move_from_json(n: int, data: object) -> RecordedMove:
    match data:
        case [str(seat), str(text)]:
            comment = ""
        case [str(seat), str(text), str(comment)]:
            pass
        case _:
            raise BadRecord(phrase("record.move", n=n))
    clean = " ".join(comment.split())
    if (
        not re.fullmatch(r"[A-F*]", seat)
        or not re.fullmatch(r"\S+", text)
        or comment != clean
        or set("{}") & set(clean)
    ):
        raise BadRecord(phrase("record.noSeat", n=n))
    return RecordedMove(_seat(seat), text, comment)

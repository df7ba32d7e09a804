"""Results and standings as sheets: CSV that Excel and LibreOffice open by a double click, in the teacher's language."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo

from babel.core import Locale, UnknownLocaleError
from babel.numbers import get_decimal_symbol

from cupboard.core.errors import CupboardError
from cupboard.core.registry import find
from cupboard.core.words import Text, phrase, say
from cupboard.server.classes.standings import standings
from cupboard.server.classes.storage import BoardRow, ClassRecord

_BOM = "\ufeff"
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What a cell begins with that a spreadsheet takes for a formula, whoever wrote it."""
_RESULTS = ("tournament", "round", "board", "game", "first", "second", "result", "moves", "started", "ended")
_STANDINGS = ("rank", "name", "points", "buchholz", "played", "won", "drawn", "lost", "byes")
_SCORES = {"first": "1-0", "draw": "½-½", "second": "0-1"}
Cell = Text | int | float


class Sheet:
    """A sheet for one language: separators and decimal signs as spreadsheets expect them there."""

    def __init__(self, language: str, zone: str = "") -> None:
        self._language = language
        self._zone = _zone(zone)
        self._decimal = _decimal(language)
        self._out = io.StringIO(newline="")
        # Where numbers have a decimal comma, a spreadsheet expects another separator.
        self._writer = csv.writer(self._out, delimiter=";" if self._decimal == "," else ",")

    def row(self, *cells: Cell) -> None:
        """Add a row."""
        self._writer.writerow([self._cell(cell) for cell in cells])

    def time(self, at: int | None) -> str:
        """A time in the reader's zone, as spreadsheets understand it."""
        if at is None:
            return ""
        return datetime.fromtimestamp(at / 1000, self._zone).strftime("%Y-%m-%d %H:%M")

    def encoded(self) -> bytes:
        """The sheet in UTF-8, marked as such: without the mark Excel garbles umlauts."""
        return (_BOM + self._out.getvalue()).encode()

    def _cell(self, cell: Cell) -> str:
        if isinstance(cell, float):
            return f"{cell:g}".replace(".", self._decimal)
        text = say(cell, self._language) if not isinstance(cell, int) else str(cell)
        return "'" + text if text.startswith(_FORMULA) else text


def results_sheet(record: ClassRecord, language: str, zone: str) -> bytes:
    """One row for each game that was paired, in all the rounds of the record."""
    sheet = Sheet(language, zone)
    sheet.row(*(phrase(f"sheet.{column}") for column in _RESULTS))
    names = {member.id: member.name for member in record.members}
    rounds = {(one.tournament, one.n): one for one in record.rounds}
    for board in record.boards:
        drawn = rounds[board.tournament, board.round]
        sheet.row(
            board.tournament,
            board.round,
            board.board,
            _title(drawn.name),
            names.get(board.first, ""),
            _opponent(board, names),
            _score(board),
            board.moves,
            sheet.time(drawn.made),
            "" if board.is_running else sheet.time(board.ended),
        )
    return sheet.encoded()


def standings_sheet(record: ClassRecord, language: str) -> bytes:
    """One row for each member, in the order of the standings."""
    sheet = Sheet(language)
    sheet.row(*(phrase(f"sheet.{column}") for column in _STANDINGS))
    names = {member.id: member.name for member in record.members}
    paired = {one for board in record.boards for one in (board.first, board.second)}
    players: Sequence[str] = [one.id for one in record.members if one.gone is None or one.id in paired]
    for row in standings(players, [board.played for board in record.boards]):
        points, buchholz = row.halves / 2, row.buchholz / 2
        name = names[row.player]
        sheet.row(row.rank, name, points, buchholz, row.played, row.won, row.drawn, row.lost, row.byes)
    return sheet.encoded()


def _title(name: str) -> Text:
    try:
        return find(name).title
    except CupboardError:
        return name


def _opponent(board: BoardRow, names: dict[str, str]) -> Text:
    if board.second is not None:
        return names.get(board.second, "")
    return phrase("name.bot", level=phrase(f"level.{board.level}")) if board.level else ""


def _score(board: BoardRow) -> Text:
    if board.score is None:
        return phrase("sheet.running" if board.is_running else "sheet.void")
    return _SCORES[board.score] if board.score in _SCORES else phrase(f"sheet.{board.score}")


def _zone(name: str) -> tzinfo:
    """The time zone with this name; UTC for a name that is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def _decimal(language: str) -> str:
    try:
        return str(get_decimal_symbol(Locale.parse(language, sep="-")))
    except (UnknownLocaleError, ValueError):
        return "."

"""What a teacher sees of a class, all at once, and what a member sees of it: their own."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from time import monotonic

import msgspec

from cupboard.core.errors import CupboardError
from cupboard.core.registry import find
from cupboard.core.words import Words, phrase
from cupboard.server.classes.rounds import Rounds
from cupboard.server.classes.standings import standings
from cupboard.server.classes.storage import BoardRow, ClassRecord, MemberRow, teacher_name
from cupboard.server.errors import NotAMember
from cupboard.server.people.name_rules import NameRules
from cupboard.server.people.people import Person
from cupboard.server.steady_clock import now
from cupboard.server.store.store import Store
from cupboard.server.table.room import Room
from cupboard.server.table.tables import Tables
from cupboard.server.wire.classes import BoardInfo, ClassInfo, MemberInfo, MemberView, OwnBoard, RoundCard

_HERE_FOR = 12.0
"""Somebody whose page asks every few seconds is here for so many seconds after it has asked last."""
_MOST_REMEMBERED = 5000
_SECONDS_TO_LOAD = 0.5
"""A table that is not in memory is shown without whose turn it is when loading takes longer."""


class ClassViews:
    """Puts together what the database knows of a class and what the tables in memory do."""

    def __init__(self, store: Store, names: NameRules, tables: Tables, rounds: Rounds) -> None:
        self._store = store
        self._names = names
        self._tables = tables
        self._rounds = rounds
        self._seen: dict[str, float] = {}
        """When a person's page last asked, by a clock that only goes forward."""

    async def teachers(self, class_id: str) -> ClassInfo:
        """Everything that the teacher sees."""
        record = await self._rounds.read(class_id)
        last = record.rounds[-1].n if record.rounds else 0
        shown = [board for board in record.boards if board.round == last or board.is_running]
        rooms = await self._rooms_of(shown)
        return ClassInfo(
            record.row.id,
            record.row.name,
            record.row.code,
            now(),
            record.row.tournament,
            tuple(self._members(record)),
            tuple(_round_cards(record)),
            tuple(_board_info(board, rooms.get(board.game or "")) for board in shown),
        )

    async def round(self, class_id: str, number: int) -> tuple[BoardInfo, ...]:
        """The boards of one round of the present tournament, as the teacher sees them."""
        record = await self._rounds.read(class_id)
        return tuple(_board_info(board, None) for board in record.boards if board.round == number)

    async def members(self, class_id: str, person: Person | None) -> MemberView:
        """What a member sees; NotAMember for anybody else. The teacher sees that the member is here."""
        record = await self._rounds.read(class_id, person="" if person is None else person.id)
        you = next((one for one in record.present if person is not None and one.person == person.id), None)
        if you is None or person is None:
            raise NotAMember(phrase("no.classMember"))
        self._note(person.id)
        own = [board for board in reversed(record.boards) if you.id in (board.first, board.second)]
        running = [board.game for board in own if board.is_running]
        return MemberView(
            record.row.id,
            record.row.name,
            self._names.shown(await self._store.read(teacher_name, record.row)),
            you.name,
            tuple(_own_board(record, board, you) for board in own),
            running[0] or "" if running else "",
        )

    def _note(self, person: str) -> None:
        self._seen.pop(person, None)
        if len(self._seen) >= _MOST_REMEMBERED:
            del self._seen[next(iter(self._seen))]
        self._seen[person] = monotonic()

    def _here(self) -> set[str]:
        """The people who are connected to a table, or look at the page of their class."""
        since = monotonic() - _HERE_FOR
        here = {person for person, seen in self._seen.items() if seen > since}
        for room in self._tables.rooms.values():
            for seat in {seat for client in room.clients for seat in client.seats}:
                if (person := room.plan.chairs[seat].person) is not None:
                    here.add(person)
        return here

    def _members(self, record: ClassRecord) -> list[MemberInfo]:
        here = self._here()
        members = {member.id: member for member in record.members}
        paired = {one for board in record.boards for one in (board.first, board.second) if one}
        shown = [one.id for one in record.members if one.gone is None or one.id in paired]
        tables = {one: board.game or "" for board in record.boards if board.is_running for one in _both(board)}
        return [
            MemberInfo(
                row.player,
                members[row.player].name,
                members[row.player].person in here,
                members[row.player].account,
                _is_gone(members[row.player]),
                tables.get(row.player, ""),
                row.rank,
                row.halves / 2,
                row.buchholz / 2,
                row.played,
                row.won,
                row.drawn,
                row.lost,
                row.byes,
            )
            for row in standings(shown, [board.played for board in record.boards])
        ]

    async def _rooms_of(self, boards: list[BoardRow]) -> Mapping[str, Room]:
        """The tables of these boards that run, in memory; without those that take too long to load."""
        running = [board.game for board in boards if board.is_running and board.game is not None]
        with suppress(TimeoutError):
            async with asyncio.timeout(_SECONDS_TO_LOAD):
                for table in running:
                    if table not in self._tables.rooms:
                        with suppress(CupboardError):  # a damaged table: the card says what the database knows
                            await self._tables.room(table)
        return {table: self._tables.rooms[table] for table in running if table in self._tables.rooms}


def _is_gone(member: MemberRow) -> bool:
    """Whether a member cannot come to a table: removed, deleted or banned."""
    return member.gone is not None or member.person is None or member.banned


def _both(board: BoardRow) -> list[str]:
    return [one for one in (board.first, board.second) if one]


def _title(name: str) -> Words:
    """The title of a game; its name when this program no longer has it."""
    try:
        return find(name).title
    except CupboardError:
        return phrase("plain", text=name)


def _round_cards(record: ClassRecord) -> list[RoundCard]:
    return [
        RoundCard(
            one.n,
            one.name,
            _title(one.name),
            one.method,
            one.made,
            sum(board.is_running for board in record.boards if board.round == one.n),
        )
        for one in record.rounds
    ]


def _board_info(board: BoardRow, room: Room | None) -> BoardInfo:
    info = BoardInfo(
        board.round,
        board.board,
        board.first,
        board.second or "",
        board.level,
        board.game or "",
        "playing" if board.is_running else "over",
        (),
        (),
        board.moves,
        board.ended or 0,
        board.score,
        board.by_hand,
    )
    if room is None:
        return info
    state = room.state
    return msgspec.structs.replace(
        info, asked=state.asked, here=tuple(sorted({seat for one in room.clients for seat in one.seats}))
    )


def _own_board(record: ClassRecord, board: BoardRow, you: MemberRow) -> OwnBoard:
    other = board.second if board.first == you.id else board.first
    opponent = record.member(other) if other else None
    own = board.played.halves[0 if board.first == you.id else 1]
    kind = next((one.name for one in record.rounds if one.n == board.round), "")
    return OwnBoard(
        board.round,
        _title(kind),
        opponent.name if opponent else "",
        board.level,
        board.game or "",
        None if board.score is None else own / 2,
    )

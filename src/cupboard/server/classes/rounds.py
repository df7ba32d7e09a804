"""The rounds of a class: pairing the next one with all its tables, results by hand, and the next tournament."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from contextlib import suppress

import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from cupboard.core.errors import BadSeats, GameOver
from cupboard.core.registry import find
from cupboard.core.words import phrase
from cupboard.server.classes.pairing import Score, pair
from cupboard.server.classes.storage import (
    ClassRecord,
    MemberRow,
    NewBoard,
    RoundRow,
    read_class,
    write_round,
    write_score,
)
from cupboard.server.errors import CannotPair, Stale, UnknownBoard, UnknownMember
from cupboard.server.people.people import Person
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import CLASS
from cupboard.server.store.store import Store
from cupboard.server.table.deciding import decide
from cupboard.server.table.pairings import note_scores
from cupboard.server.table.plan import Draft, Plan, lay
from cupboard.server.table.storage import write_plan
from cupboard.server.table.tables import Tables
from cupboard.server.wire.classes import NewRound
from cupboard.server.wire.tables import NewTable, SeatPlan

_MOST_ROUNDS = 200


class Rounds:
    """Pairs classes and keeps their results."""

    def __init__(self, store: Store, tables: Tables) -> None:
        self._store = store
        self._tables = tables

    async def read(self, class_id: str, tournament: int | None = None, person: str | None = None) -> ClassRecord:
        """The class as `read_class` finds it; results that are new are noted."""
        record = await self._store.read(read_class, class_id, tournament, person)
        new = [board.game for board in record.boards if board.game and board.score and not board.is_noted]
        if new:
            await self._store.write(note_scores, new)
        return record

    async def pair(self, class_id: str, teacher: Person, new: NewRound) -> None:
        """Pair those who are present, lay their tables and begin their games, all at once."""
        record = await self.read(class_id)
        _check(record, new)
        kind = find(new.game)
        if 2 not in kind.SEATS:
            raise BadSeats(phrase("no.pairSeats", game=kind.title))
        present = _present(record, new.members)
        order = _drawn_order(record, present)
        # A game that was stopped has not been played: its two may be paired again.
        played = [board.played for board in record.boards if not board.is_void]
        # The matching of sixty takes a while: other tables do not wait for it.
        drawn = await asyncio.to_thread(pair, new.method, order, played)
        await self._tables.readiness.rules(kind.name)
        by_id = {member.id: member for member in present}
        number = RoundRow(record.row.tournament, len(record.rounds) + 1, new.method, kind.name, now())
        laid = [_lay(new, teacher, [by_id[one] for one in couple]) for couple in drawn.pairs]
        boards: list[NewBoard] = [
            (*couple, "", plan.id, None) for couple, (plan, _) in zip(drawn.pairs, laid, strict=True)
        ]
        if drawn.odd is not None and new.bot:
            plan, drafts = _lay(new, teacher, [by_id[drawn.odd]])
            laid.append((plan, drafts))
            boards.append((drawn.odd, None, plan.chairs[1].level, plan.id, None))
        elif drawn.odd is not None:
            boards.append((drawn.odd, None, "", None, "bye" if new.method == "swiss" else "pause"))

        def work(conn: Connection) -> None:
            for plan, drafts in laid:
                write_plan(conn, plan, drafts)
            write_round(conn, class_id, number, boards)

        try:
            await self._store.write(work)
        except IntegrityError:
            raise Stale(phrase("no.pairedAlready")) from None

    async def give_score(self, class_id: str, number: int, board: int, score: Score) -> None:
        """Enter a result by hand; a game that still runs ends with it."""
        record = await self.read(class_id)
        found = next((one for one in record.boards if (one.round, one.board) == (number, board)), None)
        if found is None or (found.second is None and not found.level):
            raise UnknownBoard(phrase("no.board"))
        if found.is_running and found.game is not None:
            room = await self._tables.room(found.game)
            with suppress(GameOver):  # it has just ended: what the teacher says stands beside it
                await decide(room, {"first": 0, "second": 1}.get(score))
        await self._store.write(write_score, class_id, found, score, now())

    async def begin_tournament(self, class_id: str, after: int) -> None:
        """Begin a tournament in which nobody has points; Stale unless the present one has number `after`."""

        def work(conn: Connection) -> int:
            is_it = sa.and_(CLASS.c.id == class_id, CLASS.c.tournament == after)
            return conn.execute(sa.update(CLASS).where(is_it).values(tournament=after + 1)).rowcount

        if not await self._store.write(work):
            raise Stale(phrase("no.pairedAlready"))


def _check(record: ClassRecord, new: NewRound) -> None:
    if new.after != len(record.rounds):
        raise Stale(phrase("no.pairedAlready"))
    if len(record.rounds) >= _MOST_ROUNDS:
        raise CannotPair(phrase("no.moreRounds", count=_MOST_ROUNDS))
    running = sum(board.is_running for board in record.boards)
    if running and not new.anyway:
        raise CannotPair(phrase("no.roundRuns", count=running))


def _present(record: ClassRecord, ids: Sequence[str]) -> list[MemberRow]:
    """The members with these ids in the order of the class; UnknownMember when one does not belong to it.

    Those who are banned are left out: nobody would come to their tables."""
    members = {member.id: member for member in record.present}
    if not members.keys() >= set(ids):
        raise UnknownMember(phrase("no.member"))
    present = [member for member in record.present if member.id in ids and not member.banned]
    if len(present) < 2:
        raise CannotPair(phrase("no.pair"))
    return present


def _drawn_order(record: ClassRecord, present: Sequence[MemberRow]) -> list[str]:
    """The members in an order drawn by lot for this tournament: friends who join together do not meet first.

    It stays the same from round to round; somebody who comes late stands between two others."""
    lots = {member.id: _lot(record, member) for member in present}
    return sorted(lots, key=lambda member: lots[member])


def _lot(record: ClassRecord, member: MemberRow) -> float:
    return random.Random(f"{record.row.id} {record.row.tournament} {member.id}").random()


def _lay(new: NewRound, teacher: Person, sitting: Sequence[MemberRow]) -> tuple[Plan, list[Draft]]:
    """The table of two members, or of one and a bot."""
    kinds = (SeatPlan("open"), SeatPlan("open") if len(sitting) == 2 else SeatPlan("bot", level=new.bot))
    table = NewTable(new.game, kinds, clock=new.clock)
    return lay(table, teacher, {seat: Person(one.person or "", one.name) for seat, one in enumerate(sitting)})

"""What the database must say in the end: every acknowledged move, once and in order, and logs that replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import sqlalchemy as sa
from sqlalchemy import Connection, Engine
from tests.server.faults.players import Known

from cupboard.core.game import CHANCE
from cupboard.server.store.schema import GAME
from cupboard.server.store.store import LogEntry
from cupboard.server.table.plan import Plan
from cupboard.server.table.state import TableState
from cupboard.server.table.storage import read_plan


def faults(engine: Engine, games: Sequence[Known]) -> list[str]:
    """Sentences about everything that is not as it must be, in any of these games."""
    with engine.connect() as conn:
        return [f"{known.table}: {fault}" for known in games for fault in _faults_of(conn, known)]


def _faults_of(conn: Connection, known: Known) -> Iterator[str]:
    plan, log = read_plan(conn, known.table)
    noted = conn.execute(sa.select(GAME.c.status).where(GAME.c.id == known.table)).scalar_one()
    conn.rollback()
    yield from _promises_broken(known, log)
    yield from _disagreements(known, log)
    yield from _turns_taken_twice(plan, log, noted)


def _promises_broken(known: Known, log: Sequence[LogEntry]) -> Iterator[str]:
    """Acknowledged moves that are not where they were, out of order or there twice."""
    for n, seat, text in known.acknowledged:
        there = (log[n].kind, log[n].seat, log[n].text) if n < len(log) else None
        if there != ("move", seat, text):
            yield f"move {n}, {text} of seat {seat}, was acknowledged, and the log has {there}"
    for seat in known.sent:
        promised = [n for n, mover, _ in known.acknowledged if mover == seat]
        if promised != sorted(set(promised)):
            yield f"moves of seat {seat} were acknowledged as {promised}"
        written = sum(entry.kind == "move" and entry.seat == seat for entry in log)
        if not len(promised) <= written <= known.sent[seat]:
            yield f"seat {seat} sent {known.sent[seat]} moves, {len(promised)} were acknowledged, {written} are there"


def _disagreements(known: Known, log: Sequence[LogEntry]) -> Iterator[str]:
    """Entries that players were told and that the log does not have."""
    for n, told in sorted(known.told.items()):
        there = {(log[n].kind, log[n].seat)} if n < len(log) else set()
        if told != there:
            yield f"entry {n} was told as {told}, and the log has {there}"


def _turns_taken_twice(plan: Plan, log: Sequence[LogEntry], noted: str) -> Iterator[str]:
    """Moves of seats that were not asked, a second end, a log that does not replay."""
    state = TableState(plan.game, plan.clock, plan.bots)
    turns: Counter[tuple[int, int]] = Counter()
    for entry in log:
        if entry.kind == "move" and entry.seat is not None and entry.seat != CHANCE:
            if entry.seat not in state.asked:
                yield f"seat {entry.seat} moved with entry {entry.n}, and {state.asked} were asked"
            turns[entry.seat, state.since.get(entry.seat, -1)] += 1
        try:
            state.add(entry)
        except Exception as error:
            yield f"entry {entry.n} does not replay: {type(error).__name__}: {error}"
            return
    for (seat, since), times in turns.items():
        if times > 1:
            yield f"seat {seat} moved {times} times when it was asked at version {since}"
    if (ends := sum(entry.kind == "end" for entry in log)) > 1:
        yield f"the game ended {ends} times"
    if state.status != noted:
        yield f"the log says {state.status}, its row says {noted}"

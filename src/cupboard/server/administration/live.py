"""What is going on at a running server: its tables in memory, who is connected to them, and which bots think."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from cupboard.core.game import CHANCE
from cupboard.server.people.names import called
from cupboard.server.table.room import Room
from cupboard.server.table.tables import Tables
from cupboard.server.wire.administration import AdminSeat, AdminTable

_MOST_SHOWN = 200


class Live(msgspec.Struct, frozen=True):
    """The live view of a server."""

    tables: tuple[AdminTable, ...]
    """The tables where somebody is connected or a game is played, the most recent first; not all of very many."""
    people: Mapping[str, tuple[str, ...]]
    """Who is connected, by id, and to which tables."""
    sockets: int
    strangers: int
    in_memory: int
    thinking: int


def live_view(tables: Tables) -> Live:
    """What is going on at this server now."""
    rooms = list(tables.rooms.values())
    shown = sorted(
        (room for room in rooms if room.clients or room.state.status == "playing"),
        key=lambda room: (bool(room.clients), _moved(room)),
        reverse=True,
    )
    people: dict[str, set[str]] = {}
    clients = [(client, room.plan.id) for room in rooms for client in room.clients]
    for client, table in clients:
        if client.person is not None:
            people.setdefault(client.person.id, set()).add(table)
    return Live(
        tables=tuple(live_table(room) for room in shown[:_MOST_SHOWN]),
        people={person: tuple(sorted(at)) for person, at in people.items()},
        sockets=len(clients),
        strangers=sum(client.person is None for client, _ in clients),
        in_memory=len(rooms),
        thinking=sum(len(room.thinking) for room in rooms),
    )


def live_table(room: Room) -> AdminTable:
    """A table in memory."""
    plan, state = room.plan, room.state
    here = {seat for client in room.clients for seat in client.seats}
    return AdminTable(
        id=plan.id,
        game=plan.game.name,
        title=plan.game.title,
        status=state.status,
        seats=tuple(
            AdminSeat(
                seat=chair.seat,
                kind=chair.kind,
                name=chair.name,
                words=called(chair.name, chair.level),
                role=plan.game.seat_name(chair.seat),
                person=chair.person or "",
                here=chair.seat in here,
                thinking=chair.seat in room.thinking,
            )
            for chair in plan.chairs
        ),
        made=plan.made,
        moved=_moved(room),
        moves=sum(state.entries[n].seat != CHANCE for n in state.played),
        listed=plan.listed and not state.closed,
        live=True,
        watching=room.watching,
        damaged=room.is_damaged,
        ending=None if state.outcome is None else state.outcome.sentence,
    )


def _moved(room: Room) -> int:
    return room.state.entries[-1].at if room.state.entries else room.plan.made

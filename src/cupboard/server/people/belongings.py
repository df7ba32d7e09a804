"""What belongs to a guest, and goes along when the guest turns out to be somebody who was here before."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.server.people.results import move_results
from cupboard.server.store.schema import MEMBER, PAIRING, SEAT


def move_belongings(conn: Connection, old: str, new: str) -> None:
    """Give a guest's seats, results and places in classes to another person; for `Store.write`."""
    conn.execute(sa.update(SEAT).where(SEAT.c.person == old).values(person=new))
    conn.execute(sa.update(SEAT).where(SEAT.c.leaver == old).values(leaver=new))
    move_results(conn, old, new)
    own = {row["class"]: row["id"] for row in _places(conn, new)}
    for row in _places(conn, old):
        if row["class"] in own:
            merge_members(conn, row["id"], own[row["class"]])
        else:
            conn.execute(sa.update(MEMBER).where(MEMBER.c.id == row["id"]).values(person=new, back=None))


def merge_members(conn: Connection, absorbed: str, kept: str) -> None:
    """Make two members of a class one, who has played all that both have played."""
    for column in (PAIRING.c.first, PAIRING.c.second):
        conn.execute(sa.update(PAIRING).where(column == absorbed).values({column.name: kept}))
    conn.execute(sa.delete(MEMBER).where(MEMBER.c.id == absorbed))
    was_gone = sa.and_(MEMBER.c.id == kept, MEMBER.c.gone.is_not(None))
    conn.execute(sa.update(MEMBER).where(was_gone).values(gone=None, back=None, back_until=None))


def _places(conn: Connection, person: str) -> list[sa.RowMapping]:
    return list(conn.execute(sa.select(MEMBER).where(MEMBER.c.person == person)).mappings())

"""People as rows of the database, for administration: functions for `Store.read` and `Store.write`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection

from cupboard.core.words import phrase
from cupboard.server.errors import UnknownPerson
from cupboard.server.people.names import GUEST, stand_in_name
from cupboard.server.store.schema import CLASS, EVENT, GAME, MEMBER, PERSON, RESULT, SEAT, SESSION
from cupboard.server.table.lobby import read_outcome
from cupboard.server.wire.administration import (
    AdminClass,
    AdminExport,
    AdminGame,
    AdminLine,
    AdminPerson,
    AdminResult,
    AdminSession,
)

NOBODY = "nobody"
"""The id of the person who stands for the makers of tables that have been forgotten."""
MOST_FOUND = 50
_LONGEST_SEARCH = 100
_SESSION_ID = 12
"""So much of a session's digest names it among those of one person."""
SILENCE = "…"
"""What stands in a log for what a forgotten person has said."""


def read_person(conn: Connection, person: str, now: int) -> AdminPerson:
    """A person; UnknownPerson when nobody has this id."""
    found = _people(conn, sa.select(PERSON).where(PERSON.c.id == plain(person), PERSON.c.id != NOBODY), now)
    if not found:
        raise UnknownPerson(phrase("no.person"))
    return found[0]


def find_people(conn: Connection, text: str, now: int) -> list[AdminPerson]:
    """The newest people whose name or username contains the text, or whose id it is; all people for no text."""
    query = sa.select(PERSON).where(PERSON.c.id != NOBODY).order_by(PERSON.c.made.desc()).limit(MOST_FOUND)
    if text := plain(text):
        query = query.where(sa.or_(PERSON.c.id == text, *contains((PERSON.c.name, PERSON.c.username), text)))
    return _people(conn, query, now)


def read_people(conn: Connection, people: Collection[str], now: int) -> list[AdminPerson]:
    """The people with these ids, of very many only some."""
    some = sorted(people)[: 10 * MOST_FOUND]
    return _people(conn, sa.select(PERSON).where(PERSON.c.id.in_(some)).order_by(PERSON.c.name), now)


def plain(text: str) -> str:
    """What somebody searches for, as the database can be asked for it."""
    # SQLite compares with what stands before a NUL, which is everything when nothing does.
    return text.encode("utf-8", "replace").decode().replace("\0", "\ufffd").strip()[:_LONGEST_SEARCH]


def contains(columns: Collection[sa.Column[Any]], text: str) -> list[sa.ColumnElement[bool]]:
    """Conditions of which one holds where a column contains the text; SQLite itself ignores case in ASCII only."""
    written = {text, text.lower(), text.upper(), text.title()}
    return [column.icontains(one, autoescape=True) for column in columns for one in sorted(written)]


def _people(conn: Connection, query: sa.Select[Any], now: int) -> list[AdminPerson]:
    rows = conn.execute(query).all()
    ids = [row.id for row in rows]
    open_ones = sa.case((sa.and_(SESSION.c.ended.is_(None), SESSION.c.expires > now), 1), else_=0)
    sessions = {
        row[0]: (int(row[1]), int(row[2]))
        for row in conn.execute(
            sa.select(SESSION.c.person, sa.func.sum(open_ones), sa.func.max(SESSION.c.used))
            .where(SESSION.c.person.in_(ids))
            .group_by(SESSION.c.person)
        )
    }
    seats = (
        sa.select(SEAT.c.person, sa.func.count(sa.distinct(SEAT.c.game)))
        .where(SEAT.c.person.in_(ids))
        .group_by(SEAT.c.person)
    )
    games: dict[str, int] = {row[0]: row[1] for row in conn.execute(seats)}
    return [
        AdminPerson(
            id=row.id,
            name=row.name,
            made=row.made,
            username=row.username or "",
            banned=row.banned or 0,
            used=sessions.get(row.id, (0, 0))[1],
            sessions=sessions.get(row.id, (0, 0))[0],
            games=games.get(row.id, 0),
        )
        for row in rows
    ]


def count_people(conn: Connection) -> tuple[int, int, int]:
    """How many accounts, guests and banned people there are."""
    is_account, is_banned = PERSON.c.username.is_not(None), PERSON.c.banned.is_not(None)
    count = sa.func.count()
    query = sa.select(count.filter(is_account), count.filter(~is_account), count.filter(is_banned))
    accounts, guests, banned = conn.execute(query.where(PERSON.c.id != NOBODY)).one()
    return accounts, guests, banned


def read_sessions(conn: Connection, person: str, now: int) -> tuple[AdminSession, ...]:
    """The sessions of a person that have neither ended nor expired, the last used first."""
    rows = conn.execute(
        sa.select(SESSION)
        .where(SESSION.c.person == person, SESSION.c.ended.is_(None), SESSION.c.expires > now)
        .order_by(SESSION.c.used.desc(), SESSION.c.digest)
    )
    return tuple(AdminSession(row.digest[:_SESSION_ID], row.made, row.used, row.expires) for row in rows)


def which_sessions(person: str, session: str) -> sa.ColumnElement[bool]:
    """The condition for one session of a person, or for all when it is empty."""
    theirs = SESSION.c.person == person
    if not session:
        return theirs
    return sa.and_(theirs, sa.func.substr(SESSION.c.digest, 1, _SESSION_ID) == plain(session))


def rename_rows(conn: Connection, person: str, name: str) -> None:
    """Give a person another name, also in their classes and at the tables where they play.

    Somebody who holds several seats of a table has given them names, and only those like the old one change."""
    old = conn.execute(sa.select(PERSON.c.name).where(PERSON.c.id == person)).scalar_one()
    conn.execute(sa.update(PERSON).where(PERSON.c.id == person).values(name=name))
    conn.execute(sa.update(MEMBER).where(MEMBER.c.person == person).values(name=name))
    rows = conn.execute(
        sa.select(SEAT.c.game, SEAT.c.seat, SEAT.c.name)
        .join(GAME, GAME.c.id == SEAT.c.game)
        .where(SEAT.c.person == person, GAME.c.status != "over")
    ).all()
    tables = [row.game for row in rows]
    for table, seat, called in rows:
        if called == old or tables.count(table) == 1:
            conn.execute(sa.update(SEAT).where(SEAT.c.game == table, SEAT.c.seat == seat).values(name=name))
            _write_text(conn, table, seat, "sit", name)


def read_export(conn: Connection, person: str, now: int) -> AdminExport:
    """All that is stored of a person but secrets."""
    found = read_person(conn, person, now)
    theirs = sa.or_(SEAT.c.person == found.id, SEAT.c.leaver == found.id)
    games = conn.execute(
        sa.select(GAME.c.id, GAME.c.name, SEAT.c.seat, SEAT.c.name.label("called"), GAME.c.made, GAME.c.status)
        .add_columns(GAME.c.outcome, GAME.c.seats)
        .join(SEAT, SEAT.c.game == GAME.c.id)
        .where(theirs)
        .order_by(GAME.c.made, GAME.c.id, SEAT.c.seat)
    )
    results = conn.execute(sa.select(RESULT).where(RESULT.c.person == found.id).order_by(RESULT.c.at))
    lines = conn.execute(
        sa.select(EVENT.c.game, EVENT.c.at, EVENT.c.text)
        .join(SEAT, sa.and_(SEAT.c.game == EVENT.c.game, SEAT.c.seat == EVENT.c.seat))
        .where(theirs, EVENT.c.kind == "chat")
        .order_by(EVENT.c.at, EVENT.c.n)
    )
    return AdminExport(
        id=found.id,
        name=found.name,
        username=found.username,
        made=found.made,
        banned=found.banned,
        written=now,
        sessions=read_sessions(conn, found.id, now),
        games=tuple(
            AdminGame(row.id, row.name, row.seat, row.called, row.made, row.status, _ending(row.outcome, row.seats))
            for row in games
        ),
        results=tuple(
            AdminResult(
                row.game,
                row.name,
                row.seats,
                msgspec.json.decode(row.against, type=tuple[str, ...]),
                row.share,
                row.left_out,
                row.at,
            )
            for row in results
        ),
        chat=tuple(AdminLine(*row) for row in lines),
        classes=read_classes(conn, found.id),
    )


def read_classes(conn: Connection, person: str) -> tuple[AdminClass, ...]:
    """The classes that a person teaches, then those they belong or belonged to."""
    taught = conn.execute(sa.select(CLASS.c.name, CLASS.c.made).where(CLASS.c.teacher == person).order_by(CLASS.c.made))
    joined = conn.execute(
        sa.select(CLASS.c.name, MEMBER.c.name, MEMBER.c.joined)
        .join(CLASS, CLASS.c.id == MEMBER.c["class"])
        .where(MEMBER.c.person == person)
        .order_by(MEMBER.c.joined)
    )
    return (*(AdminClass(name, "", made) for name, made in taught), *(AdminClass(*row) for row in joined))


def _ending(outcome: str | None, seats: int) -> str:
    found = read_outcome(outcome, seats)
    return "" if found is None else str(found.sentence)


# Forgetting somebody: account and rest in one transaction, the seats a few at a time.


def forget_account(conn: Connection, person: str) -> None:
    """Take name, username and password from a person, so that nobody signs in as them any more."""
    change = sa.update(PERSON).where(PERSON.c.id == person)
    conn.execute(change.values(name=GUEST, username=None, password=None, banned=None))


def forget_seats(conn: Connection, person: str, most: int) -> int:
    """Make some of a person's seats those of a guest whom nobody knows; returns how many they were.

    Moves stay, so that everybody else's games can still be looked at; names and what was said there do not."""
    rows = conn.execute(
        sa.select(SEAT).where(sa.or_(SEAT.c.person == person, SEAT.c.leaver == person)).limit(most)
    ).all()
    for row in rows:
        _write_text(conn, row.game, row.seat, "sit", GUEST)
        _write_text(conn, row.game, row.seat, "chat", SILENCE)
        name = GUEST if row.person == person else stand_in_name(GUEST) if row.kind == "bot" else row.name
        conn.execute(
            sa.update(SEAT)
            .where(SEAT.c.game == row.game, SEAT.c.seat == row.seat)
            .values(name=name, person=None if row.person == person else row.person, leaver=None)
        )
    return len(rows)


def forget_rest(conn: Connection, person: str) -> None:
    """Delete a person's results and the classes they teach, and let nobody be the maker of their tables.

    Classes that they belonged to keep how the games ended, without a name, and a way back only to refuse it."""
    conn.execute(sa.delete(CLASS).where(CLASS.c.teacher == person))
    conn.execute(sa.update(MEMBER).where(MEMBER.c.person == person).values(person=None, name=SILENCE))
    conn.execute(sa.delete(RESULT).where(RESULT.c.person == person))
    if conn.execute(sa.select(PERSON.c.id).where(PERSON.c.id == NOBODY)).first() is None:
        conn.execute(sa.insert(PERSON).values(id=NOBODY, name=GUEST, made=0))
    conn.execute(sa.update(GAME).where(GAME.c.maker == person).values(maker=NOBODY))


def delete_person(conn: Connection, person: str) -> None:
    """Delete a person of whom nothing else is left."""
    conn.execute(sa.delete(PERSON).where(PERSON.c.id == person))


def gone_guests(conn: Connection, after: str, most: int) -> list[str]:
    """Guests whose sessions have all expired or ended, by id, from one on.

    Those who belong to a class are not among them before their sessions would have expired (`Sessions.sweep`)."""
    has_session = sa.exists().where(SESSION.c.person == PERSON.c.id)
    query = (
        sa.select(PERSON.c.id)
        .where(PERSON.c.username.is_(None), PERSON.c.id > after, PERSON.c.id != NOBODY, ~has_session)
        .order_by(PERSON.c.id)
        .limit(most)
    )
    return list(conn.execute(query).scalars())


def _write_text(conn: Connection, table: str, seat: int, kind: str, text: str) -> None:
    """Write anew what entries of a log say that nothing follows from: names and chat."""
    which = sa.and_(EVENT.c.game == table, EVENT.c.seat == seat, EVENT.c.kind == kind)
    conn.execute(sa.update(EVENT).where(which).values(text=text))

"""The classes of a server: who teaches which, made, named, and given up."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import sqlalchemy as sa
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from cupboard.core.words import phrase
from cupboard.server.classes.codes import class_code, read_code
from cupboard.server.classes.members import Members
from cupboard.server.classes.rounds import Rounds
from cupboard.server.classes.storage import class_of_code, find_class
from cupboard.server.classes.views import ClassViews
from cupboard.server.errors import BadCode, BadName, Busy, ClassFull, NeedsAccount, NotTheTeacher
from cupboard.server.people.name_rules import NameRules
from cupboard.server.people.names import clean
from cupboard.server.people.people import People, Person
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import CLASS, MEMBER, PERSON
from cupboard.server.store.store import Store
from cupboard.server.table.plan import new_id
from cupboard.server.table.tables import Tables
from cupboard.server.wire.classes import ClassCard, ClassLists

CodeWork = Callable[[Connection, str], object]
MOST_CLASSES = 50
_TRIES = 5


class Classes:
    """Classes, their members and their rounds. Any account can make a class, and only its teacher sees into it."""

    def __init__(self, store: Store, people: People, tables: Tables) -> None:
        self._store = store
        self._names = people.names
        self.members = Members(store, people)
        self.rounds = Rounds(store, tables)
        self.views = ClassViews(store, people.names, tables, self.rounds)

    async def of(self, person: Person | None) -> ClassLists:
        """The classes that a person teaches, and those they belong to."""
        if person is None:
            return ClassLists((), ())
        teaching, joined = await self._store.read(_classes_of, person.id)
        shown = self._names.shown
        return ClassLists(
            teaching, tuple(msgspec.structs.replace(card, teacher=shown(card.teacher)) for card in joined)
        )

    async def knows(self, code: str) -> bool:
        """Whether this is the code that lets into a class."""
        try:
            await self._store.read(class_of_code, read_code(code))
        except BadCode:
            return False
        return True

    async def make(self, teacher: Person | None, name: str) -> str:
        """A new class; returns its id."""
        if teacher is None or not teacher.username:
            raise NeedsAccount(phrase("no.teacher"))
        row = {
            "id": new_id(),
            "name": _class_name(self._names, name),
            "teacher": teacher.id,
            "tournament": 1,
            "made": now(),
        }
        await self._with_new_code(lambda conn, code: _write_class(conn, row | {"code": code}))
        return str(row["id"])

    async def check_teacher(self, class_id: str, person: Person | None) -> Person:
        """The teacher of the class; NotTheTeacher when somebody else asks."""
        row = await self._store.read(find_class, class_id)
        if person is None or row.teacher != person.id:
            raise NotTheTeacher(phrase("no.teachersOnly"))
        return person

    async def rename(self, class_id: str, name: str) -> None:
        """Give the class another name."""
        change = sa.update(CLASS).where(CLASS.c.id == class_id).values(name=_class_name(self._names, name))
        await self._store.write(lambda conn: conn.execute(change) and None)

    async def renew_code(self, class_id: str) -> None:
        """Give the class another code: the old one lets nobody in any more."""
        change = sa.update(CLASS).where(CLASS.c.id == class_id)
        await self._with_new_code(lambda conn, code: conn.execute(change.values(code=code)))

    async def delete(self, class_id: str) -> None:
        """Forget the class, its members and its results. The games stay with those who played them."""
        await self._store.write(lambda conn: conn.execute(sa.delete(CLASS).where(CLASS.c.id == class_id)) and None)

    async def _with_new_code(self, work: CodeWork) -> None:
        """Do what needs a code that no other class has."""
        for _ in range(_TRIES):
            try:
                await self._store.write(work, class_code())
                return
            except IntegrityError:
                continue
        raise Busy(phrase("no.hurry"))


def _class_name(names: NameRules, name: str) -> str:
    """A name of a class has no words that are not wanted; it stands on no list."""
    cleaned = names.check(name) if names.mode == "checked" else clean(name)
    if not cleaned:
        raise BadName(phrase("no.name"))
    return cleaned


def _write_class(conn: Connection, row: dict[str, object]) -> None:
    count = sa.select(sa.func.count()).select_from(CLASS).where(CLASS.c.teacher == row["teacher"])
    if conn.execute(count).scalar_one() >= MOST_CLASSES:
        raise ClassFull(phrase("no.moreClasses", count=MOST_CLASSES))
    conn.execute(sa.insert(CLASS).values(row))


def _classes_of(conn: Connection, person: str) -> tuple[tuple[ClassCard, ...], tuple[ClassCard, ...]]:
    """The classes that a person teaches, and those they belong to, newest first."""
    is_member = sa.and_(MEMBER.c["class"] == CLASS.c.id, MEMBER.c.gone.is_(None))
    count = sa.select(sa.func.count()).select_from(MEMBER).where(is_member).scalar_subquery()
    taught = sa.select(CLASS.c.id, CLASS.c.name, count).where(CLASS.c.teacher == person).order_by(CLASS.c.made.desc())
    joined = (
        sa.select(CLASS.c.id, CLASS.c.name, count, PERSON.c.name)
        .join(PERSON, PERSON.c.id == CLASS.c.teacher)
        .where(CLASS.c.id.in_(sa.select(MEMBER.c["class"]).where(MEMBER.c.person == person, MEMBER.c.gone.is_(None))))
        .order_by(CLASS.c.made.desc())
    )
    return (
        tuple(ClassCard(*row) for row in conn.execute(taught)),
        tuple(ClassCard(row[0], row[1], 0, row[3]) for row in conn.execute(joined)),
    )

"""Who must stay out of a class stays out: the banned, the removed and the forgotten, by whatever way they try."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from sqlalchemy import Connection
from tests.server.administration.holder import holding, person_called
from tests.server.classes.test_classes import give, ids, pair, pupils, shown, teaching
from tests.server.helpers import Server, browser
from tests.server.inside import house

from cupboard.server.classes.members import Members
from cupboard.server.errors import BadCode, Banned, CannotMerge, MemberGone
from cupboard.server.people.people import People, Person
from cupboard.server.steady_clock import now
from cupboard.server.store.schema import CLASS, MEMBER, PERSON
from cupboard.server.store.store import Store


def members(teacher: httpx.Client, room: dict[str, Any], name: str) -> str:
    """The address of the member with this name."""
    return f"/api/classes/{room['id']}/members/{ids(shown(teacher, room))[name]}"


def banning(server: Server, *names: str) -> None:
    with holding(server) as owner:
        for name in names:
            assert owner.post(f"/api/admin/people/{person_called(owner, name)['id']}/ban").status_code == 200


def new_names(*starts: str) -> list[str]:
    return [f"{start} {secrets.token_hex(3)}" for start in starts]


# Banned.


def test_a_way_back_lets_no_banned_guest_in(server: Server) -> None:
    (name,) = new_names("Rowdy")
    with teaching(server) as (teacher, room), pupils(server, room["code"], name), browser(server.url) as tablet:
        place = members(teacher, room, name)
        code = teacher.post(f"{place}/way-back").json()["code"]
        banning(server, name)
        for answer in (tablet.get(f"/api/join/{code}"), tablet.post("/api/join", json={"code": code})):
            assert (answer.status_code, answer.json()["code"]) == (403, "banned")
            assert name not in answer.text and "set-cookie" not in answer.headers
        refused = teacher.post(f"{place}/way-back")
        assert (refused.status_code, refused.json()["code"]) == (409, "member-banned")
        assert refused.json()["sentence"] == f"Whoever runs this server has shut {name} out."
        with holding(server) as owner:
            owner.delete(f"/api/admin/people/{person_called(owner, name)['id']}/ban")
        back = tablet.post("/api/join", json={"code": code})
        assert back.json()["name"] == name, "what was refused is not used up"


@pytest.mark.parametrize("banned", [0, 1])
def test_no_merge_makes_a_banned_guest_somebody_who_is_not(server: Server, banned: int) -> None:
    names = new_names("Anna", "Anna K")
    with teaching(server) as (teacher, room), pupils(server, room["code"], *names) as clients:
        banning(server, names[banned])
        one, other = (ids(shown(teacher, room))[name] for name in names)
        refused = teacher.post(f"/api/classes/{room['id']}/members/{one}/merge", json={"into": other})
        assert (refused.status_code, refused.json()["code"]) == (409, "member-banned")
        assert set(ids(shown(teacher, room))) == set(names)
        assert clients[banned].get("/api/me").json()["code"] == "banned"
        assert clients[1 - banned].get("/api/me").json()["name"] == names[1 - banned]


# Removed.


def test_who_was_removed_is_told_so_with_a_right_way_back_and_learns_nothing_else(server: Server) -> None:
    with (
        teaching(server) as (teacher, room),
        pupils(server, room["code"], "Anna", "Bo") as (anna, _),
        browser(server.url) as tablet,
    ):
        give(teacher, room, pair(teacher, room).json()["boards"][0], "draw")
        place = members(teacher, room, "Anna")
        code = teacher.post(f"{place}/way-back").json()["code"]
        teacher.delete(place)
        for answer in (tablet.get(f"/api/join/{code}"), tablet.post("/api/join", json={"code": code})):
            assert (answer.status_code, answer.json()["code"]) == (409, "member-gone")
            assert answer.json()["sentence"].startswith("This code was for somebody who no longer belongs to the class")
            assert not [word for word in ("Anna", room["name"], room["id"], "Meier") if word in answer.text]
            assert "set-cookie" not in answer.headers
        assert tablet.get("/api/join/CCCCCCCC").json()["code"] == "bad-code"
        refused = teacher.post(f"{place}/way-back")
        assert (refused.status_code, refused.json()["code"]) == (409, "member-gone")
        assert refused.json()["sentence"] == "Anna no longer belongs to this class."
        assert anna.post("/api/join", json={"code": room["code"], "name": "Anna"}).status_code == 201
        assert tablet.post("/api/join", json={"code": code}).json()["code"] == "bad-code", "void when they are back"


@pytest.mark.parametrize("into", [True, False])
def test_no_merge_brings_back_who_was_removed(server: Server, into: bool) -> None:
    with teaching(server) as (teacher, room), pupils(server, room["code"], "Anna", "Bo", "Cai"):
        board = pair(teacher, room, among=["Anna", "Bo"]).json()["boards"][0]
        give(teacher, room, board, "draw")
        both = ids(shown(teacher, room))
        teacher.delete(f"/api/classes/{room['id']}/members/{both['Anna']}")
        one, other = ("Cai", "Anna") if into else ("Anna", "Cai")
        refused = teacher.post(f"/api/classes/{room['id']}/members/{both[one]}/merge", json={"into": both[other]})
        assert (refused.status_code, refused.json()["code"]) == (409, "member-gone")
        assert [one["name"] for one in shown(teacher, room)["members"] if one.get("gone")] == ["Anna"]


# What happens at the same moment.


class School:
    """A class with two pupils, in this process: what somebody else does just before a transaction can be put there."""

    def __init__(self, store: Store, people: People, one: Person, other: Person) -> None:
        self.store = store
        self.people = people
        self.one = one
        self.other = other
        self.members = Members(store, people)

    async def just_before(self, monkeypatch: pytest.MonkeyPatch, change: sa.Executable) -> None:
        """Have a statement executed before the next transaction that writes."""
        write = self.store.write

        async def late(work: Any, *args: Any) -> Any:
            monkeypatch.undo()
            await write(lambda conn: conn.execute(change) and None)
            return await write(work, *args)

        monkeypatch.setattr(self.store, "write", late)

    async def person(self, who: Person) -> sa.Row[Any]:
        return await self.store.read(lambda conn: conn.execute(sa.select(PERSON).where(PERSON.c.id == who.id)).one())

    async def place(self, member: str) -> sa.Row[Any]:
        return await self.store.read(lambda conn: conn.execute(sa.select(MEMBER).where(MEMBER.c.id == member)).one())


def at_school(folder: Path, work: Callable[[School], Awaitable[None]]) -> None:
    async def all_of_it() -> None:
        async with house(folder) as (_, people, store):
            teacher, one, other = [(await people.welcome(name))[0] for name in ("Meier", "Anna", "Bo")]

            def fill(conn: Connection) -> None:
                row = {"id": "5b", "name": "5b", "teacher": teacher.id, "code": "CCCCCC", "tournament": 1, "made": 0}
                conn.execute(sa.insert(CLASS).values(row))
                for place, person in (("m1", one), ("m2", other)):
                    member = {"id": place, "class": "5b", "person": person.id, "name": person.name, "joined": now()}
                    conn.execute(sa.insert(MEMBER).values(member))

            await store.write(fill)
            await work(School(store, people, one, other))

    asyncio.run(all_of_it())


@pytest.mark.parametrize("which", [0, 1])
def test_who_registers_at_the_moment_of_a_merge_is_not_merged_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: int
) -> None:
    async def work(school: School) -> None:
        who = (school.one, school.other)[which]
        change = sa.update(PERSON).where(PERSON.c.id == who.id).values(username="anna", password="-")
        await school.just_before(monkeypatch, change)
        with pytest.raises(CannotMerge):
            await school.members.merge("5b", "m1", "m2")
        assert (await school.person(who)).username == "anna"
        assert [(await school.place(one)).person for one in ("m1", "m2")] == [school.one.id, school.other.id]

    at_school(tmp_path, work)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (sa.update(PERSON).values(banned=1), Banned),
        (sa.update(PERSON).where(PERSON.c.name == "Anna").values(username="anna", password="-"), BadCode),
        (sa.update(MEMBER).values(gone=1), MemberGone),
        (sa.update(MEMBER).values(person=None), MemberGone),
    ],
)
def test_who_is_shut_out_at_the_moment_of_coming_back_stays_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: sa.Executable, error: type[Exception]
) -> None:
    async def work(school: School) -> None:
        code = (await school.members.way_back("5b", "m1")).code
        await school.just_before(monkeypatch, change)
        with pytest.raises(error):
            await school.members.come_back(code, None, "")
        assert (await school.place("m1")).back is not None

    at_school(tmp_path, work)

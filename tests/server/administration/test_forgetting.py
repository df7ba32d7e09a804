"""A person's data is exported without secrets, and deleted so that everybody else's games stay whole."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import Connection
from tests.server.administration.holder import holding, new_account, person_called
from tests.server.administration.test_tables import closed
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving, wait_for
from tests.server.postgres import rows_of, store_of

from cupboard.core.record import Record
from cupboard.server.administration import people_rows
from cupboard.server.administration.administration import Administration
from cupboard.server.errors import Busy
from cupboard.server.people.people import People

LOGIN = {"username": "ottilie", "password": "correct horse battery"}
SECRET_WORDS = "my dog is called Waldi"


class Played:
    """Ottilie has played with Bo, against a bot, and left a table of three to a bot; all of it at one server."""

    def __init__(self, server: Server) -> None:
        self.server = server
        with browser(server.url) as ottilie, browser(server.url) as bo:
            ottilie.put("/api/me", json={"name": "Ottilie"})
            ottilie.post("/api/account", json=LOGIN)
            bo.put("/api/me", json={"name": "Bo"})
            bo.post("/api/account", json={"username": "bo", "password": LOGIN["password"]})
            ottilie.post("/api/classes", json={"name": "Ottilie's club"})
            code = bo.post("/api/classes", json={"name": "The 4b"}).json()["code"]
            assert ottilie.post("/api/join", json={"code": code, "name": "Ottilie"}).status_code == 201
            made = lay(ottilie, "jumping-cups", "me", "friend")
            self.shared, self.token = made["table"]["id"], made["keys"][0]["token"]
            bo.post(f"/api/tables/{self.shared}/seats/1", json={"invite": made["invites"][0]["invite"]})
            self.against_bot = lay(ottilie, "double-dutch", "me", "bot:sprout")["table"]["id"]
            made = lay(ottilie, "double-dutch", "me", "friend", "bot:sprout")
            self.left = made["table"]["id"]
            bo.post(f"/api/tables/{self.left}/seats/1", json={"invite": made["invites"][0]["invite"]})
            self.ottilie, self.bo = ottilie.cookies["cupboard"], bo.cookies["cupboard"]
            asyncio.run(self._play())

    @staticmethod
    async def _meet(*players: SocketPlayer) -> None:
        """Wait until everybody knows what anybody knows."""
        for player in players:
            while player.version < max(other.version for other in players):
                await player.until("update")

    async def _play(self) -> None:
        port = self.server.port
        mine, yours = [await SocketPlayer.sit(port, self.shared, cookie=one) for one in (self.ottilie, self.bo)]
        await mine.say(type="chat", text=SECRET_WORDS)
        await yours.say(type="chat", text="good to know")
        for _ in range(6):
            await self._meet(mine, yours)
            mover = next(player for player in (mine, yours) if player.update["seat"] in player.update["asked"])
            await mover.move(mover.update["moves"][0]["text"])
        await self._meet(mine, yours)
        await yours.say(type="resign")
        alone = await SocketPlayer.sit(port, self.against_bot, cookie=self.ottilie)
        await alone.say(type="resign")
        leaving = await SocketPlayer.sit(port, self.left, cookie=self.ottilie)
        await leaving.say(type="chat", text=SECRET_WORDS)
        await leaving.say(type="resign")
        for player in (mine, yours, alone, leaving):
            await player.close()


@pytest.fixture
def played(tmp_path: Path) -> Any:
    with serving(tmp_path) as server:
        yield Played(server)


def dump(server: Server) -> str:
    with rows_of(server.data) as db:
        return db.dump()


def test_an_export_has_everything_but_secrets(played: Played) -> None:
    with holding(played.server) as owner:
        person = person_called(owner, "ottilie")["id"]
        answer = owner.get(f"/api/admin/people/{person}/export")
    assert answer.headers["content-disposition"] == f'attachment; filename="{person}.json"'
    told = answer.json()
    assert (told["name"], told["username"], len(told["sessions"])) == ("Ottilie", "ottilie", 1)
    assert {game["table"] for game in told["games"]} == {played.shared, played.against_bot, played.left}
    assert [result["table"] for result in told["results"]] == [played.against_bot]
    assert [line["text"] for line in told["chat"]] == [SECRET_WORDS] * 2
    assert [(one["name"], one["called"]) for one in told["classes"]] == [("Ottilie's club", ""), ("The 4b", "Ottilie")]
    with rows_of(played.server.data) as db:
        secrets = [row[0] for row in db.execute("SELECT password FROM person WHERE password IS NOT NULL")]
        secrets += [row[0] for row in db.execute("SELECT digest FROM session UNION SELECT digest FROM admin_link")]
        secrets += [row[0] for row in db.execute("SELECT key FROM secret")]
    assert len(secrets) >= 6
    assert not [secret for secret in (*secrets, played.ottilie, played.token) if secret in answer.text]
    assert "good to know" not in answer.text, "what others said is theirs"


def test_a_deleted_person_is_nowhere_and_the_games_can_be_replayed(played: Played) -> None:
    server = played.server
    with holding(server) as owner, browser(server.url, cookies={"cupboard": played.bo}) as bo:
        before = {table: bo.get(f"/api/tables/{table}/record.json").json() for table in (played.shared,)}
        person = person_called(owner, "ottilie")["id"]

        async def run() -> None:
            theirs = await SocketPlayer.sit(server.port, played.shared, cookie=played.ottilie)
            watcher = await SocketPlayer.sit(server.port, played.shared, cookie=played.bo)
            answer = await asyncio.to_thread(owner.delete, f"/api/admin/people/{person}")
            assert answer.status_code == 200, answer.text
            assert await closed(theirs) == 4003
            assert await closed(watcher, 0.3) is None
            await watcher.close()

        asyncio.run(run())
        gone = person_called(owner, person)
        assert (gone["name"], gone.get("games"), gone.get("sessions")) == ("Guest", None, None)
        # In the memory of the server, in the database, and after a restart.
        for _ in range(2):
            text = bo.get(f"/api/tables/{played.shared}/events").text + bo.get("/api/mine").text
            assert "Ottilie" not in text and SECRET_WORDS not in text and "good to know" in text
            record = bo.get(f"/api/tables/{played.shared}/record.json").json()
            assert record["moves"] == before[played.shared]["moves"] and record["moves"]
            assert Record.read(bo.get(f"/api/tables/{played.shared}/record.game").text).tags["A"] == "Guest"
            assert bo.get(f"/api/tables/{played.left}").json()["seats"][0]["name"] == "Guest's stand-in"
            server.stop()
            server.start()
        stored = dump(server)
        assert "ottilie" not in stored.lower() and "Waldi" not in stored
        again = bo.post("/api/session", json=LOGIN)
        assert again.json()["code"] == "bad-login"


def test_all_but_the_seats_goes_at_once(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop in the middle, such as a power cut, leaves seats for the next sweep and nothing else."""
    played.server.stop()

    def stop(conn: Connection, person: str, most: int) -> int:
        raise Busy("the power is cut")

    monkeypatch.setattr(people_rows, "forget_seats", stop)

    async def delete() -> str:
        store = store_of(played.server.data)
        try:
            admin = Administration(store, People(store))
            (found,) = await admin.find_people("ottilie")
            with pytest.raises(Busy):
                await admin.delete(found.id, "shell")
            return found.id
        finally:
            store.close()

    person = asyncio.run(delete())
    with rows_of(played.server.data) as db:
        left = {
            (table, column)
            for table, column in (
                ("result", "person"),
                ("class", "teacher"),
                ("class_member", "person"),
                ("game", "maker"),
                ("seat", "person"),
            )
            if db.execute(f"SELECT 1 FROM {table} WHERE {column} = ?", (person,)).fetchone()
        }
        assert left == {("seat", "person")}
        assert [name for (name,) in db.execute("SELECT name FROM class")] == ["The 4b"]


def test_a_way_back_of_a_deleted_person_is_refused(server: Server) -> None:
    with browser(server.url) as teacher, browser(server.url) as pupil, browser(server.url) as tablet:
        new_account(teacher)
        room = teacher.post("/api/classes", json={"name": "The 4b"}).json()
        pupil.post("/api/join", json={"code": room["code"], "name": "Wanda"})
        member = teacher.get(f"/api/classes/{room['id']}").json()["members"][0]["id"]
        place = f"/api/classes/{room['id']}/members/{member}/way-back"
        code = teacher.post(place).json()["code"]
        with holding(server) as owner:
            found = person_called(owner, "Wanda")["id"]
            (joined,) = owner.get(f"/api/admin/people/{found}").json()["classes"]
            assert (joined["name"], joined["called"]) == ("The 4b", "Wanda")
            owner.delete(f"/api/admin/people/{found}")
        for answer in (tablet.get(f"/api/join/{code}"), tablet.post("/api/join", json={"code": code})):
            assert (answer.status_code, answer.json()["code"]) == (409, "member-gone")
            assert "Wanda" not in answer.text and "set-cookie" not in answer.headers
        assert teacher.post(place).json()["code"] == "member-gone"


def test_the_row_of_a_deleted_person_goes_as_well(tmp_path: Path) -> None:
    with serving(tmp_path, look_for_old=0.2) as server, browser(server.url) as http:
        http.put("/api/me", json={"name": "Ida"})
        lay(http, "jumping-cups", "me", "me")
        with holding(server) as owner:
            person = person_called(owner, "Ida")["id"]
            owner.delete(f"/api/admin/people/{person}")
        with rows_of(server.data) as db:
            db.execute("DELETE FROM session")  # as the sweep of sessions does after ten minutes
        wait_for(lambda: person not in dump(server))


def test_a_deleted_guest_is_a_stranger_when_they_come_again(server: Server, http: httpx.Client) -> None:
    http.put("/api/me", json={"name": "Passer-by"})
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    with holding(server) as owner:
        owner.delete(f"/api/admin/people/{person_called(owner, 'Passer-by')['id']}")
    assert http.get("/api/me").json()["name"] == "Guest"
    assert http.get(f"/api/tables/{table}").json().get("yours") is None
    assert http.put("/api/me", json={"name": "Somebody new"}).status_code == 200

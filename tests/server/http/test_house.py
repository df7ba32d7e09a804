"""The switches of a school: what may be said, who may make an account, and what people may be called."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, said, serving

from cupboard.core.words import catalogue, languages, phrase, say
from cupboard.server.settings import PeopleSettings

NAMES = "# The names of the class\nFox\n\n  Red Kite \nÖzgür\n"
WORDS = "# What nobody is called here\nass\nidiot\nArschloch\n"
LOGIN = {"username": "ida", "password": "correct horse"}


@contextmanager
def house(folder: Path, **settings: Any) -> Iterator[tuple[Server, httpx.Client]]:
    with serving(folder, **settings) as server, browser(server.url) as http:
        yield server, http


def code(answer: httpx.Response) -> str:
    return str(answer.json()["code"]) if answer.status_code >= 400 else "ok"


def test_the_house_says_how_it_is(tmp_path: Path) -> None:
    with house(tmp_path) as (_, http):
        found = http.get("/api/house").json()
        assert set(found) == {"phrases"}, "all else is as shipped"
        for language in languages():
            words = [say(phrase(f"phrase.{one}"), language) for one in found["phrases"]]
            assert len(set(words)) == len(words) >= 8 and not any(word.startswith("phrase.") for word in words)
        assert {f"phrase.{one}" for one in found["phrases"]} == {
            key for key in catalogue("en") if key.startswith("phrase.")
        }


# Chat.


async def answers(server: Server, http: httpx.Client, *messages: dict[str, Any]) -> tuple[str, list[dict[str, Any]]]:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    player = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
    found = [await player.say(**message) for message in messages]
    await player.close()
    return table, found


def test_phrases_are_kept_as_such_and_nothing_else_is_said(tmp_path: Path) -> None:
    with house(tmp_path, chat="phrases") as (server, http):
        assert http.get("/api/house").json()["chat"] == "phrases"
        free = {"type": "chat", "text": "you are bad"}
        table, found = asyncio.run(answers(server, http, free, {"type": "phrase", "phrase": "well"}))
        assert (found[0]["code"], said(found[0]["words"])) == ("no-chat", "Only the phrases can be said here.")
        event = found[1]["events"][-1]
        assert (event["kind"], event["text"], event["words"]) == ("phrase", "well", ["phrase.well", []])
        log = http.get(f"/api/tables/{table}/events").json()
        assert [one["text"] for one in log if one["kind"] in ("chat", "phrase")] == ["well"]


def test_what_was_said_before_can_be_read_where_phrases_are_said_and_is_hidden_where_nothing_is(tmp_path: Path) -> None:
    with house(tmp_path) as (server, http):
        words = {"type": "chat", "text": "hello you"}
        table, found = asyncio.run(answers(server, http, words, {"type": "phrase", "phrase": "well"}))
        assert [one["type"] for one in found] == ["update", "update"], "phrases can be said by a page that knows them"
        cookie = http.cookies["cupboard"]

    def told(mode: str) -> list[tuple[str, str]]:
        with house(tmp_path, chat=mode) as (server, http):

            async def look() -> list[dict[str, Any]]:
                player = await SocketPlayer.sit(server.port, table, cookie=cookie)
                for message in ({"type": "chat", "text": "again"}, {"type": "phrase", "phrase": "well"}):
                    if mode == "off":
                        assert (await player.say(**message))["code"] == "no-chat"
                await player.close()
                return player.events

            log = http.get(f"/api/tables/{table}/events").json()
            assert asyncio.run(look()) == log
            return [(one["kind"], one.get("text", "")) for one in log if one["kind"] in ("chat", "phrase")]

    assert told("phrases") == [("chat", "hello you"), ("phrase", "well")]
    assert told("off") == [("chat", ""), ("chat", "")]


# Accounts.


def test_nobody_makes_an_account_where_sign_up_is_closed(tmp_path: Path) -> None:
    with house(tmp_path, people=PeopleSettings()) as (_, http):
        assert code(http.post("/api/account", json=LOGIN)) == "ok"
    with house(tmp_path, people=PeopleSettings(sign_up="closed")) as (_, http):
        assert http.get("/api/house").json()["sign_up"] == "closed"
        assert code(http.post("/api/account", json=LOGIN | {"username": "bo"})) == "no-sign-up"
        assert code(http.post("/api/session", json=LOGIN)) == "ok", "whoever has one signs in"


def test_an_account_takes_the_class_code(tmp_path: Path) -> None:
    with house(tmp_path, people=PeopleSettings(sign_up="code", class_code="Acorn 7b")) as (server, http):
        assert http.get("/api/house").json()["sign_up"] == "code"
        for wrong in ("", "acorn", "acorn 7", "acorn 7b!", "ãcorn 7b"):
            assert code(http.post("/api/account", json=LOGIN | {"code": wrong})) == "bad-class-code"
        assert not http.cookies, "a refused visitor is no guest"
        assert code(http.post("/api/account", json=LOGIN | {"code": " acorn7B "})) == "ok"
        assert code(http.post("/api/account", json=LOGIN | {"code": "x" * 41})) == "bad-message"
        guesses = [code(http.post("/api/account", json=LOGIN | {"code": f"acorn {n}"})) for n in range(20)]
        assert guesses[0] == "bad-class-code" and guesses[-1] == "too-many"
        assert code(http.post("/api/account", json=LOGIN | {"code": "acorn 7b"})) == "too-many", "whatever comes next"
        with browser(server.url) as other:
            assert code(other.post("/api/account", json=LOGIN | {"username": "bo", "code": "acorn 7b"})) == "ok"


# Names.


def named(http: httpx.Client, name: str) -> list[str]:
    """What comes of a name wherever one can be said: for oneself, for others at this screen, on sitting down."""
    seats = [{"kind": "me", "name": name}, {"kind": "friend"}]
    made = lay(http, "jumping-cups", "me", "friend")
    seat = f"/api/tables/{made['table']['id']}/seats/1"
    return [
        code(http.put("/api/me", json={"name": name})),
        code(http.post("/api/tables", json={"game": "jumping-cups", "seats": seats})),
        code(http.post(seat, json={"name": name, "invite": made["invites"][0]["invite"]})),
    ]


def test_names_come_from_the_list(tmp_path: Path) -> None:
    with house(tmp_path) as (_, http):
        assert http.put("/api/me", json={"name": "Rude"}).status_code == 200
        cookie = http.cookies["cupboard"]
    file = tmp_path / "names.txt"
    file.write_text(NAMES, encoding="utf-8")
    with house(tmp_path, people=PeopleSettings(names="list", name_list=file)) as (server, http):
        assert http.get("/api/house").json()["name_list"] == ["Fox", "Red Kite", "Özgür"]
        for name in ("Fox", "  Red   Kite", "Özgür", "Guest"):
            assert named(http, name) == ["ok"] * 3, name
        for name in ("Wolf", "fox", "Fox Fox", "# The names of the class"):
            assert named(http, name) == ["bad-name"] * 3, name
        assert lay(http, "jumping-cups", "me", "bot:random")["table"]["seats"][1]["name"] == "Random bot"
        assert code(http.post("/api/account", json=LOGIN)) == "ok", "a username is not shown to others"
        with browser(server.url, cookies={"cupboard": cookie}) as old:
            assert old.get("/api/me").json()["name"] == "Guest", "whoever had another name before"
            made = lay(old, "jumping-cups", "me", "friend")["table"]
            assert made["seats"][0]["name"] == "Guest"
        file.write_text("Wolf\n", encoding="utf-8")
        assert (named(http, "Wolf"), named(http, "Fox")) == (["ok"] * 3, ["bad-name"] * 3), "the file has changed"
        file.unlink()
        assert (named(http, "Wolf"), named(http, "Fox")) == (["ok"] * 3, ["bad-name"] * 3), "what it said before holds"


def test_names_are_checked_for_words(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text(WORDS, encoding="utf-8")
    # Without limits: a table is laid for every name.
    with house(tmp_path, people=PeopleSettings(names="checked", name_list=file), limited=False) as (_, http):
        assert "name_list" not in http.get("/api/house").json(), "nobody is shown the words"
        for name in ("Cassandra", "Ida", "Klasse 7b", "Guest", "Özgür", "王"):
            assert named(http, name) == ["ok"] * 3, name
        for name in (
            "ass",
            "A.S.S.",
            "a s s",
            "You Ass",
            "YouAss",
            "@$$",
            "1d10t",
            "superIDIOTx",
            "ìdïöt",
            "Du Arsch-loch",
        ):
            assert named(http, name) == ["bad-name"] * 3, name
        assert code(http.post("/api/account", json=LOGIN | {"username": "idiot.7"})) == "bad-name"
        answer = http.put("/api/me", json={"name": "idiot"}).json()
        assert "idiot" not in answer["sentence"] and answer["words"][0] == "no.unwantedName"


@pytest.mark.parametrize(
    ("mode", "taken", "refused"),
    [("list", ("Fox", " Red  Kite", ""), ("Wolf", "You Ass")), ("checked", ("Wolf", ""), ("You Ass", "1d10t"))],
)
def test_a_bot_is_called_what_people_may_be_called(
    tmp_path: Path, mode: Any, taken: tuple[str, ...], refused: tuple[str, ...]
) -> None:
    file = tmp_path / "list.txt"
    file.write_text(NAMES if mode == "list" else WORDS, encoding="utf-8")
    with house(tmp_path, people=PeopleSettings(names=mode, name_list=file)) as (_, http):

        def bot(name: str) -> httpx.Response:
            seats = [{"kind": "me"}, {"kind": "bot", "level": "random", "name": name}]
            return http.post("/api/tables", json={"game": "jumping-cups", "seats": seats})

        for name in taken:
            called = " ".join(name.split()) or "Random bot"
            assert bot(name).json()["table"]["seats"][1]["name"] == called
        for name in refused:
            assert code(bot(name)) == "bad-name", name


def test_a_long_name_is_checked_in_no_time(tmp_path: Path) -> None:
    file = tmp_path / "words.txt"
    file.write_text("".join(f"unwanted{n}x\n" for n in range(5000)), encoding="utf-8")
    with house(tmp_path, people=PeopleSettings(names="checked", name_list=file)) as (_, http):
        begun = time.monotonic()
        for _ in range(10):
            assert code(http.put("/api/me", json={"name": "a1" * 20})) == "ok"
        assert time.monotonic() - begun < 3


def test_a_new_class_begins(server: Server) -> None:
    """Without settings nothing is asked for and any name is taken."""
    Household.move()
    with browser(server.url) as http:
        assert named(http, "Rude Idiot") == ["ok"] * 3
        assert code(http.post("/api/account", json=LOGIN | {"username": "someone.else"})) == "ok"

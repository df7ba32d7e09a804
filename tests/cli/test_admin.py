"""`cupboard admin`: beside a running server and without one, for people and for programs."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, serving, wait_for
from tests.server.program import running

from .conftest import Run


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path / "house") as running:
        yield running


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with browser(server.url) as client:
        client.put("/api/me", json={"name": "Ida"})
        client.post("/api/account", json={"username": "ida", "password": "correct horse battery"})
        yield client


def test_who_is_connected_is_asked_of_the_running_server(run: Run, server: Server, http: httpx.Client) -> None:
    table = lay(http, "jumping-cups", "me", "bot:random")["table"]["id"]

    async def connected() -> None:
        player = await SocketPlayer.sit(server.port, table, cookie=http.cookies["cupboard"])
        result = await asyncio.to_thread(run, "admin", "now", "--data", server.data)
        assert result.exit_code == 0 and "running since" in result.output and "Ida*" in result.output
        (told,) = json.loads((await asyncio.to_thread(run, "admin", "now", "--json", "--data", server.data)).output)
        assert told["people"][0]["username"] == "ida" and told["people"][0]["tables"] == [table]
        await player.close()

    asyncio.run(connected())
    server.kill()
    result = run("admin", "now", "--data", server.data)
    assert result.exit_code == 0 and result.output.startswith("No running server can be asked")
    assert "1 accounts" in result.output and table in result.output
    server.start()
    assert "running since" in run("admin", "now", "--data", server.data).output, "the file of the killed one is no harm"
    assert len(list(server.data.glob("running-*.json"))) == 1
    server.stop()
    assert not list(server.data.glob("running-*.json"))


def test_what_the_shell_does_reaches_the_running_server(run: Run, server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me", listed=True)
    table = made["table"]["id"]
    assert run("admin", "rename", "ida", "Olga", "--data", server.data).exit_code == 0
    wait_for(lambda: http.get(f"/api/tables/{table}").json()["seats"][0]["name"] == "Olga")
    assert run("admin", "end", table, "--winner", 2, "--yes", "--data", server.data).exit_code == 0
    wait_for(lambda: http.get(f"/api/tables/{table}").json().get("outcome", {}).get("winners") == [1])
    assert run("admin", "close", table, "--yes", "--data", server.data).exit_code == 0
    assert run("admin", "ban", "ida", "--yes", "--data", server.data).exit_code == 0
    wait_for(lambda: http.get("/api/me").json().get("code") == "banned")
    assert run("admin", "unban", "ida", "--data", server.data).exit_code == 0
    wait_for(lambda: http.get("/api/me").json().get("username") == "ida")
    output = run("admin", "reset-password", "ida", "--yes", "--json", "--data", server.data).output
    password = json.loads(output)["password"]
    wait_for(lambda: http.get("/api/me").json()["name"] == "Guest")
    assert http.post("/api/session", json={"username": "ida", "password": password}).status_code == 201
    sessions = json.loads(run("admin", "sessions", "ida", "--json", "--data", server.data).output)
    assert len(sessions) == 1
    end = ("admin", "sessions", "ida", "--end", sessions[0]["id"], "--yes", "--data", server.data)
    assert run(*end).exit_code == 0 and run(*end).exit_code == 1
    wait_for(lambda: http.get("/api/me").json()["name"] == "Guest")


def test_a_link_is_shown_once_and_renewed_at_once(run: Run, server: Server) -> None:
    first = run("admin", "link", "--data", server.data)
    assert first.exit_code == 0
    found = re.fullmatch(rf"{server.url}/admin#([\w-]{{32}})\n", first.output)
    assert found, first.output
    refused = run("admin", "link", "--data", server.data)
    assert refused.exit_code == 1 and "--renew" in refused.stderr and found[1] not in refused.output
    with browser(server.url, headers={"x-admin-token": found[1]}) as page:
        assert page.get("/api/admin/now").status_code == 200
        assert run("admin", "link", "--renew", "--data", server.data).exit_code == 0
        assert page.get("/api/admin/now").status_code == 403


def test_a_link_has_the_address_of_the_settings(run: Run, server: Server, tmp_path: Path) -> None:
    file = tmp_path / "cupboard.toml"
    file.write_text(f"data = '{server.data}'\nurl = 'https://games.example/cupboard/'\n")
    told = json.loads(run("admin", "link", "--renew", "--json", "--settings", file).output)
    assert told["link"].startswith("https://games.example/cupboard/admin#")


@pytest.mark.parametrize("verb", [("close", "{table}"), ("end", "{table}"), ("ban", "ida"), ("delete", "ida")])
def test_what_cannot_be_undone_is_asked_about(run: Run, server: Server, http: httpx.Client, verb: tuple[str]) -> None:
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    words = [word.format(table=table) for word in verb]
    for line in ("n", ""):
        result = run("admin", *words, "--data", server.data, lines=(line,))
        assert result.exit_code == 1 and "Nothing was done." in result.stderr
    assert run("admin", *words, "--data", server.data).exit_code == 1, "nobody is there to say yes"
    assert http.get(f"/api/tables/{table}").json()["status"] == "playing" and http.get("/api/me").status_code == 200
    assert run("admin", *words, "--data", server.data, lines=("y",)).exit_code == 0


def test_a_deletion_says_what_becomes_of_classes(run: Run, server: Server, http: httpx.Client) -> None:
    http.post("/api/classes", json={"name": "Chess club"})
    with browser(server.url) as other:
        other.put("/api/me", json={"name": "Bo"})
        other.post("/api/account", json={"username": "bo", "password": "correct horse battery"})
        code = other.post("/api/classes", json={"name": "The 4b"}).json()["code"]
    http.post("/api/join", json={"code": code, "name": "Ida"})
    asked = " ".join(run("admin", "delete", "ida", "--data", server.data, lines=("n",)).output.split())
    assert "the classes they teach: Chess club." in asked, asked
    assert "stay without a name in the classes they belong or belonged to: The 4b." in asked
    asked = run("admin", "delete", "bo", "--data", server.data, lines=("n",)).output
    assert "they teach: The 4b." in asked and "belong" not in asked


def test_without_a_server_everything_works_as_well(
    run: Run, server: Server, http: httpx.Client, tmp_path: Path
) -> None:
    table = lay(http, "jumping-cups", "me", "me", listed=True)["table"]["id"]
    server.stop()
    assert table in run("admin", "tables", "--find", "ida", "--data", server.data).output
    assert run("admin", "close", table, "--yes", "--data", server.data).exit_code == 0
    assert table not in run("admin", "tables", "--data", server.data).output
    file = tmp_path / "ida.json"
    assert run("admin", "export", "ida", "--to", file, "--data", server.data).exit_code == 0
    assert json.loads(file.read_bytes())["games"][0]["table"] == table
    assert json.loads(run("admin", "export", "ida", "--data", server.data).output)["username"] == "ida"
    assert run("admin", "delete", "ida", "--yes", "--data", server.data).exit_code == 0
    assert run("admin", "delete", "ida", "--yes", "--data", server.data).exit_code == 1
    assert json.loads(run("admin", "people", "--json", "--data", server.data).output)[0]["name"] == "Guest"
    server.start()
    assert http.get("/api/me").json()["name"] == "Guest"
    assert http.get(f"/api/tables/{table}").json()["status"] == "over"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("ban", "nobody", "--yes"), "Nobody has the id"),
        (("ban", "", "--yes"), "Nobody has the id"),
        (("unban", "'; DROP TABLE person; --"), "Nobody has the id"),
        (("rename", "x" * 5000, "Bo"), "Nobody has the id"),
        (("rename", "ida", "\u200b"), "A name needs at least one letter"),
        (("close", "x" * 5000, "--yes"), "There is no table"),
        (("close", "\udcff", "--yes"), "There is no table"),
        (("end", "nope", "--yes"), "There is no table"),
    ],
)
def test_what_cannot_be_done_is_a_sentence(
    run: Run, server: Server, http: httpx.Client, words: tuple[str, ...], sentence: str
) -> None:
    result = run("admin", *words, "--data", server.data)
    assert result.exit_code == 1 and sentence in result.stderr and len(result.stderr) < 6000
    assert http.get("/api/me").json()["name"] == "Ida"


def test_two_of_one_name_are_told_apart_by_their_ids(run: Run, server: Server) -> None:
    for _ in range(2):
        with browser(server.url) as guest:
            guest.put("/api/me", json={"name": "Twin"})
    result = run("admin", "ban", "Twin", "--yes", "--data", server.data)
    assert result.exit_code == 1 and "2 people are called Twin" in result.stderr


def test_a_folder_without_a_database_stays_without_one(run: Run, tmp_path: Path) -> None:
    for verb in (("tables",), ("now",), ("link",), ("ban", "ida", "--yes")):
        result = run("admin", *verb, "--data", tmp_path / "empty")
        assert result.exit_code == 1 and "There is no database in" in result.stderr
    assert not (tmp_path / "empty").exists()


def test_a_running_server_that_cannot_be_asked_is_named(run: Run, tmp_path: Path) -> None:
    place = tmp_path / "cupboard.sock"
    with running(tmp_path, "--socket", place) as program:
        asked = ("admin", "now", "--data", tmp_path / "data")
        assert "running since" in run(*asked).output
        place.rename(tmp_path / "elsewhere")  # as when the socket is somebody else's: it cannot be connected to
        result = run(*asked)
        told = f"A server runs (process {program.process.pid}), but cannot be asked at the socket {place}: "
        assert result.exit_code == 0 and told in result.output
        assert "this is what the database knows" in result.output
        assert json.loads(run(*asked, "--json").stdout)

"""Nothing fails in silence: what goes wrong in a real server is in its log, its figures and its answer to /readyz."""

from __future__ import annotations

import asyncio
import json
import resource
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.server.helpers import SocketPlayer, browser, lay, wait_for
from tests.server.postgres import needs_sqlite
from tests.server.store.older import make_older
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from cupboard import __version__
from cupboard.server.settings import LogSettings
from cupboard.server.store.revisions import newest_revision
from cupboard.server.store.sqlite_file import SECONDS_TO_WAIT

from .watched import WatchedServer, free_port, watching

JSON = LogSettings(format="json")
CUPS = {"starter": "red"}


def readyz(server: WatchedServer) -> tuple[int, str]:
    answer = httpx.get(f"{server.url}/readyz", timeout=30)
    return answer.status_code, answer.json().get("code", "")


def test_the_start_the_end_and_a_new_database_are_in_the_log(tmp_path: Path) -> None:
    with watching(tmp_path, durable=True) as server:
        port = server.port
        server.stop()
    with watching(tmp_path, log=JSON) as again:
        again.stop()
    lines = again.log.splitlines()
    plain, objects = lines[:3], lines[3:]
    assert [line.split()[2] for line in plain] == ["database-made", "server-started", "server-stopped"]
    assert f"version={__version__} listens=127.0.0.1:{port}" in plain[1] and "durable=True" in plain[1]
    assert [json.loads(line)["event"] for line in objects] == ["server-started", "server-stopped"], "it was there"


@needs_sqlite
def test_an_older_database_is_told_when_it_was_brought_up_to_date(tmp_path: Path) -> None:
    with watching(tmp_path):
        pass
    make_older(tmp_path / "cupboard.db", "0005")
    with watching(tmp_path) as server:
        assert f"INFO database-migrated before=0005 after={newest_revision()}\n" in server.log


# Refusals.


def test_a_flood_is_one_line_and_a_sum(tmp_path: Path) -> None:
    with watching(tmp_path, log=LogSettings(format="json", sum_up=1.0)) as server, browser(server.url) as http:
        table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
        for _ in range(120):
            last = http.get(f"/api/tables/{table}", headers={"x-seat-token": "0" * 32})
        assert last.status_code == 429

        def told() -> list[dict[str, Any]]:
            return [event for event in server.events("refused") if event["code"] == "too-many"]

        wait_for(lambda: len(told()) > 1)
        first, *sums = told()
        assert first.pop("address").startswith("127.0.")
        assert first == {
            "method": "GET",
            "route": "/api/tables/{table}",
            "status": 429,
            "code": "too-many",
            "limit": "links",
        }
        assert sum(event["more"] for event in sums) == 99 and len(sums) <= 3
        assert table not in server.log


def test_every_kind_of_refusal_is_told(tmp_path: Path) -> None:
    prelude = "from cupboard.server.settings import LimitSettings\n"
    with watching(tmp_path, prelude, log=JSON, limits=Limits(1)) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "me", options=CUPS)
        table = made["table"]["id"]
        assert http.get("/api/games", headers={"host": "evil.example"}).status_code == 421
        assert http.post("/api/tables", json={}, headers={"origin": "http://evil.example"}).status_code == 403
        assert http.post("/api/session", json={"username": "anna", "password": "wrong word"}).status_code == 403

        async def run() -> None:
            player = await SocketPlayer.sit(server.port, table, made["keys"][0]["token"])
            with pytest.raises(InvalidStatus):  # one is all that an address may have
                await connect(f"ws://127.0.0.1:{server.port}/api/tables/{table}/socket", local_addr=player_address())
            for _ in range(90):
                await player.socket.send('{"type": "ping"}')
            while (got := await player.receive())["type"] != "refused":
                pass
            assert got["code"] == "too-many"
            player.socket.transport.abort()  # a close frame would wait behind all that it has not read

        asyncio.run(run())
        (message,) = server.until("message-refused")[:1]
        assert (message["code"], message["limit"]) == ("too-many", "messages")
        told = {(one["status"], one["code"]): one for one in server.events("refused")}
        assert told[421, "unknown-host"]["host"] == "evil.example"
        assert told[403, "bad-origin"]["method"] == "POST"
        assert told[403, "bad-login"]["route"] == "/api/session"
        assert told[429, "too-many"] | {"address": ""} == {
            "method": "GET",
            "route": "/api/tables/{table}/socket",
            "status": 429,
            "code": "too-many",
            "limit": "moreSockets",
            "address": "",
        }


@needs_sqlite
def test_the_code_is_told_of_answers_that_do_not_say_it(tmp_path: Path) -> None:
    """A browser under a wrong name is shown a page, and an answer to HEAD is empty."""
    page = {"accept": "text/html", "host": "evil.example"}
    with watching(tmp_path, log=JSON) as server, browser(server.url) as http:
        answer = http.get("/", headers=page)
        assert (answer.status_code, answer.headers["content-type"]) == (421, "text/html; charset=utf-8")
        (told,) = server.until("refused")
        assert (told["code"], told["host"]) == ("unknown-host", "evil.example")
        assert http.head("/readyz").status_code == 200
        with closing(sqlite3.connect(tmp_path / "cupboard.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            time.sleep(1.1)  # what is known of the database is believed for a second
            assert http.head("/readyz").status_code == 503
            other.execute("COMMIT")
        assert [one["code"] for one in server.until("refused", 2)] == ["unknown-host", "busy"]


def test_too_many_connections_are_told(tmp_path: Path) -> None:
    prelude = "from cupboard.server.settings import LimitSettings\n"
    with watching(tmp_path, prelude, log=JSON, limits=Limits(1, connections=1)) as server:
        with socket.create_connection(("127.0.0.1", server.port)), httpx.Client() as http:
            assert http.get(server.url).status_code == 429
        (refused,) = server.until("connection-refused")
        assert refused == {"code": "too-many", "limit": "connections", "address": "127.0.0.1"}


# The database.


@needs_sqlite
def test_a_full_disk_is_told_and_readyz_turns_and_comes_back(tmp_path: Path) -> None:
    """A file that may not grow, which is what the system says of a full disk, too."""
    with watching(tmp_path, log=JSON) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "me", options=CUPS)
        assert readyz(server) == (200, "")
        wal = (tmp_path / "cupboard.db-wal").stat().st_size
        assert (tmp_path / "server.log").stat().st_size < wal / 2, "the log may grow"

        async def run() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], *(key["token"] for key in made["keys"]))
            before = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (wal, resource.RLIM_INFINITY))
            for _ in range(5):
                assert (await player.move("5-6"))["code"] == "no-room"
            await asyncio.sleep(1.1)  # what is known of the database is believed for a second
            assert readyz(server) == (503, "no-room")
            assert httpx.get(f"{server.url}/healthz").json() == {"status": "ok"}, "it lives all the same"
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, before)
            await asyncio.sleep(1.1)
            assert readyz(server) == (200, "")
            assert (await player.move("5-6"))["type"] == "update"
            await player.close()

        asyncio.run(run())
        failed = server.events("database-failed")
        assert [(one["work"], one["code"]) for one in failed] == [("append", "no-room"), ("check", "no-room")]
        (refused,) = server.events("refused")
        assert (refused["route"], refused["status"], refused["code"]) == ("/readyz", 503, "no-room")


@needs_sqlite
def test_a_locked_database_is_told_and_readyz_says_so_in_time(tmp_path: Path) -> None:
    with watching(tmp_path, log=LogSettings(format="json", slow_database=0.3)) as server:
        with closing(sqlite3.connect(tmp_path / "cupboard.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            began = time.monotonic()
            with ThreadPoolExecutor(20) as many:
                found = list(many.map(lambda _: readyz(server), range(20)))
            assert set(found) == {(503, "busy")} and 1.5 < time.monotonic() - began < SECONDS_TO_WAIT
            assert httpx.get(f"{server.url}/healthz").json() == {"status": "ok"}
            other.execute("COMMIT")
        wait_for(lambda: readyz(server) == (200, ""))
        server.until("database-slow")
        (slow,) = [event for event in server.events("database-slow") if event["work"] == "check"]
        assert slow["seconds"] > 1.5, "twenty asked, and the database was asked once"


@needs_sqlite
def test_readyz_writes_and_neither_grows_the_file_nor_is_limited(tmp_path: Path) -> None:
    with watching(tmp_path) as server, httpx.Client(base_url=server.url) as http:
        size, wal = (tmp_path / "cupboard.db").stat().st_size, (tmp_path / "cupboard.db-wal").stat().st_size
        began = time.monotonic()
        assert {http.get("/readyz").status_code for _ in range(1000)} == {200}
        writes = ((tmp_path / "cupboard.db-wal").stat().st_size - wal) / 4120  # bytes of a page in it
        assert 1 <= writes <= 2 + time.monotonic() - began
        assert (tmp_path / "cupboard.db").stat().st_size == size


def test_both_answer_under_any_name_and_to_no_other_method(tmp_path: Path) -> None:
    with watching(tmp_path) as server, httpx.Client(base_url=server.url) as http:
        for path in ("/healthz", "/readyz"):
            answer = http.get(path, headers={"host": "load-balancer.example"})
            assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
            assert answer.headers["cache-control"] == "no-store"
            assert http.head(path).status_code == 200 and http.head(path).content == b""
            assert http.post(path).status_code in (404, 405)
        assert http.get("/api/health", headers={"host": "load-balancer.example"}).status_code == 421
        assert http.get("/healthz/").status_code == 404


# What runs beside the tables.

BROKEN_BOT = """
from cupboard.server.table import thinking
class Broken:
    def choose(self, view):
        raise ZeroDivisionError("a bot divides by zero")
thinking.make_player = lambda level, game, seed: Broken()
"""


def test_a_bot_that_raises_is_told_once_and_the_game_goes_on(tmp_path: Path) -> None:
    with watching(tmp_path, BROKEN_BOT, log=JSON) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "bot:random", options=CUPS)

        async def run() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            for _ in range(4):
                assert await player.until_asked()
                await player.move(player.update["moves"][0]["text"])
            assert await player.until_asked()
            await player.close()

        asyncio.run(run())
        (fault,) = server.events("bot-fault")
        assert (fault["level"], fault["game"], fault["kind"]) == ("random", "jumping-cups", "crash")
        assert "divides by zero" in fault["why"]
        server.stop()
        assert server.events("bot-fault")[-1]["more"] == 3


def test_a_slow_move_is_told_with_its_table(tmp_path: Path) -> None:
    with watching(tmp_path, log=LogSettings(format="json", slow_move=0.000_001)) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "me", options=CUPS)

        async def run() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            await player.move("5-6")
            await player.close()

        asyncio.run(run())
        (slow,) = server.until("slow-move")
        assert (slow["game"], slow["table"]) == ("jumping-cups", made["table"]["id"]) and 0 < slow["seconds"] < 1


# Secrets.

QUOTING = """
from cupboard.server.table.access import SeatAccess
known = SeatAccess.held
def held(self, plan, person, tokens):
    if any(token.startswith("b00") for token in tokens):
        raise RuntimeError(f"https://games.example/t/x?token={tokens[0]}")
    if any(token.startswith("bad") for token in tokens):
        raise ValueError(f"{tokens[0]} {person.name}")
    return known(self, plan, person, tokens)
SeatAccess.held = held
"""


@pytest.mark.parametrize("form", ["plain", "json"])
def test_a_whole_session_leaves_no_secret_in_the_log(tmp_path: Path, form: str) -> None:
    names, words = ["Annegret", "Bartholomew", "Wilhelmine"], ["correct horse battery", "wrong staple", "new battery"]
    secrets = [*names, "annegret-1", *words]
    boom, bad, wrong = "b00" + "1f" * 15, "bad" + "2e" * 15, "0d" * 16
    log = LogSettings(format=form, slow_move=0.000_001, slow_database=0.000_001, sum_up=0.5)  # type: ignore[arg-type]
    with watching(tmp_path, QUOTING, log=log) as server, browser(server.url) as anna, browser(server.url) as bart:
        anna.put("/api/me", json={"name": names[0]})
        secrets.append(anna.cookies["cupboard"])
        assert anna.post("/api/account", json={"username": "annegret-1", "password": words[0]}).status_code == 201
        secrets.append(anna.cookies["cupboard"])
        anna.put("/api/account/password", json={"old": words[1], "new": words[2]})
        anna.put("/api/account/password", json={"old": words[0], "new": words[2]})
        assert anna.post("/api/account", json={"username": "annegret-1", "password": words[0]}).status_code == 409
        made = lay(anna, "jumping-cups", "me", "friend", options=CUPS)
        address = f"/api/tables/{made['table']['id']}"
        invite = made["invites"][0]["invite"]
        secrets += [invite, made["keys"][0]["token"], boom, bad, wrong]
        assert bart.get(f"/t/{made['table']['id']}?invite={invite}").status_code == 200
        assert bart.post(f"{address}/seats/1", json={"invite": wrong, "name": names[1]}).status_code == 403
        taken = bart.post(f"{address}/seats/1", json={"invite": invite, "name": names[1]}).json()
        secrets += [bart.cookies["cupboard"], taken["key"]["token"]]
        for token in (boom, bad):
            assert anna.get(address, headers={"x-seat-token": token}).status_code == 500
        for token in (wrong, "é" * 32, "x" * 99):
            assert anna.get(address, headers={b"x-seat-token": token.encode()}).status_code >= 400
        for path in (f"/{boom}/{bad}", f"/t/{boom}?invite={bad}", f"/api/tables/{bad}", f"/api/{wrong}?token={wrong}"):
            anna.get(path)
        anna.get("/api/games", headers={"host": "evil.example", "cookie": f"cupboard={wrong}"})
        with browser(server.url) as third:
            for _ in range(40):
                third.post("/api/session", json={"username": "annegret-1", "password": words[1]}) if _ < 3 else None
                third.get(address, headers={"x-seat-token": wrong})
            third.post("/api/session", json={"username": "annegret-1", "password": words[2]})
            secrets.append(third.cookies["cupboard"])

        async def run() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            await player.move("5-6")
            await player.say(type="chat", text=f"I am {names[2]}")
            await player.socket.send(json.dumps({"type": wrong}))
            for token in (boom, bad, wrong):
                await player.socket.send(json.dumps({"type": "hello", "tokens": [token], "version": 0}))
            for _ in range(80):
                await player.socket.send(json.dumps({"type": "chat", "text": names[2]}))
            await asyncio.to_thread(wait_for, lambda: "message-refused" in server.log)
            player.socket.transport.abort()

        asyncio.run(run())
        server.stop()
        for event in ("refused", "request-failed", "message-failed", "message-refused", "slow-move", "database-slow"):
            assert event in server.log
        assert "RuntimeError" in server.log and "ValueError" in server.log
        for secret in secrets:
            assert secret.lower() not in server.log.lower(), secret
        if form == "json":
            assert all(
                {"ts", "level", "logger", "event"} <= json.loads(line).keys() for line in server.log.splitlines()
            )


# Figures.


def scraped(port: int) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    text = httpx.get(f"http://127.0.0.1:{port}/metrics").text
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_figures_tell_what_has_happened(tmp_path: Path) -> None:
    port = free_port()
    with watching(tmp_path, metrics=f"127.0.0.1:{port}", log=JSON) as server, browser(server.url) as http:
        made = lay(http, "jumping-cups", "me", "bot:random", options=CUPS)

        def figure(name: str, **labels: str) -> float:
            return scraped(port).get((name, tuple(sorted(labels.items()))), 0.0)

        async def run() -> None:
            player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
            for _ in range(3):
                assert await player.until_asked()
                await player.move(player.update["moves"][0]["text"])
            assert await player.until_asked()
            assert (figure("cupboard_sockets_open"), figure("cupboard_tables_with_clients")) == (1, 1)
            assert (await player.say(type="hint"))["type"] == "hint"
            await player.close()

        asyncio.run(run())
        http.get("/api/tables/nothing", headers={"host": "evil.example"})
        assert figure("cupboard_moves_total", game="jumping-cups", by="person") == 3
        assert figure("cupboard_moves_total", game="jumping-cups", by="bot") == 3
        assert figure("cupboard_move_seconds_count", game="jumping-cups") == 3
        assert figure("cupboard_bot_seconds_count", game="jumping-cups") == 3
        assert figure("cupboard_hints_total", game="jumping-cups") == 1
        assert figure("cupboard_database_seconds_count", work="append") >= 6
        assert figure("cupboard_requests_total", method="POST", route="/api/tables", status="201") == 1
        assert figure("cupboard_refusals_total", code="unknown-host") == 1
        assert figure("cupboard_events_total", event="refused", level="warning") == 1
        assert figure("cupboard_tables_in_memory") == 1
        assert figure("process_resident_memory_bytes") > 1e7
        assert any(name == "cupboard_build_info" for name, _ in scraped(port))
        wait_for(lambda: figure("cupboard_sockets_open") == 0)


def test_whatever_is_asked_for_the_figures_stay_few(tmp_path: Path) -> None:
    port = free_port()
    with watching(tmp_path, metrics=f"127.0.0.1:{port}") as server, browser(server.url) as http:
        table = lay(http, "jumping-cups", "me", "me")["table"]["id"]

        def ask_for(start: int) -> None:
            for n in range(start, start + 150):
                http.get(f"/{n}/of/them")
                http.get(f"/api/tables/t{n}")
                http.get(f"/api/games/{n}/scene")
                http.request(f"WRONG{n}", "/api/me")
                http.get(f"/api/tables/{table}", headers={"x-seat-token": f"{n:032x}"})

        ask_for(0)
        before = len(scraped(port))
        ask_for(1000)
        after = scraped(port)
        assert len(after) <= before + 20
        told = "\n".join(map(str, after))
        assert table not in told and "WRONG" not in told and "of/them" not in told
        assert any(labels == (("limit", "links"),) for _, labels in after)


def test_figures_are_on_no_other_address_and_outlive_rude_clients(tmp_path: Path) -> None:
    port = free_port()
    with watching(tmp_path, metrics=f"127.0.0.1:{port}") as server, browser(server.url) as http:
        assert "cupboard_moves" not in http.get("/metrics").text
        for data in (b"", b"GET", b"\x16\x03\x01" * 10, b"GET /metrics HTTP/1.1\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", port)) as rude:
                rude.sendall(data)
        assert scraped(port)
        assert httpx.post(f"http://127.0.0.1:{port}/metrics").status_code == 405
        server.stop()
        assert "Traceback" not in server.log


class Limits:
    """LimitSettings as the program of the server reads it."""

    def __init__(self, sockets: int, connections: int | None = None) -> None:
        self._said = f"LimitSettings(sockets={sockets}, connections={connections})"

    def __repr__(self) -> str:
        return self._said


def player_address() -> tuple[str, int]:
    from tests.server.helpers import Household

    return Household.address, 0

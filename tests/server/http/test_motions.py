"""Motions over HTTP: what a simulation left to be seen, for everybody, for ever; and nothing else."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Household, Server, SocketPlayer, browser, lay, serving

from cupboard.server.limits.rates import HOME


@pytest.fixture
def tumbling(tumble: None, tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path) as server:
        yield server


async def played(server: Server, made: dict[str, Any]) -> list[dict[str, Any]]:
    """The log of a table after one push and nature's answer."""
    player = await SocketPlayer.sit(server.port, made["table"]["id"], *(key["token"] for key in made["keys"]))
    await player.until_asked()
    await player.move("push-1")
    await player.until_asked()
    await player.close()
    return player.events


def test_a_motion_is_sent_as_it_is_stored_and_a_browser_unpacks_it(tumbling: Server) -> None:
    with browser(tumbling.url) as http:
        made = lay(http, "tumble", "me", "me")
        log = asyncio.run(played(tumbling, made))
        (rest,) = [event for event in log if event.get("motion")]
        assert rest["text"].startswith("rest-") and rest["seat"] == -1
        address = f"/api/tables/{made['table']['id']}/motions/{rest['n']}"
        answer = http.get(address)
        assert answer.status_code == 200 and answer.text == f"how it came to {rest['text']}"
        assert answer.headers["content-encoding"] == "deflate"
        assert answer.headers["content-type"] == "application/octet-stream"
        assert answer.headers["cache-control"] == "private, max-age=31536000, immutable"
        assert answer.headers["x-content-type-options"] == "nosniff"
        with http.stream("GET", address) as raw:
            packed = b"".join(raw.iter_raw())
        assert zlib.decompress(packed).decode() == answer.text
        assert len(packed) == int(answer.headers["content-length"]), "nothing packs it once more"
    with browser(tumbling.url) as stranger:
        assert stranger.get(address).text == answer.text, "it is as public as the move"


def test_where_there_is_no_motion_is_a_problem_with_a_sentence(tumbling: Server) -> None:
    with browser(tumbling.url) as http:
        made, other = lay(http, "tumble", "me", "me"), lay(http, "tumble", "me", "me")
        log = asyncio.run(played(tumbling, made))
        n = next(event["n"] for event in log if event.get("motion"))
        here = f"/api/tables/{made['table']['id']}/motions"
        assert http.get(f"{here}/{n}").status_code == 200
        wrong = [f"{here}/{m}" for m in (n - 1, n + 1, -1, -n, 10**6, 2**63, 10**30, -(10**30))]
        wrong += [f"/api/tables/{other['table']['id']}/motions/{n}", f"/api/tables/nobody/motions/{n}"]
        wrong += [f"/api/tables/%00/motions/{n}", f"{here}/{'9' * 5000}", f"{here}/one", f"{here}/", f"{here}/1.5"]
        for address in wrong:
            answer = http.get(address)
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found"), address
            assert "content-encoding" not in answer.headers and "immutable" not in str(answer.headers)
        assert http.get(f"{here}/{n + 1}").json()["sentence"] == "There is no motion to be seen here."


def test_other_methods_are_refused_as_elsewhere(tumbling: Server) -> None:
    with browser(tumbling.url) as http:
        made = lay(http, "tumble", "me", "me")
        n = next(event["n"] for event in asyncio.run(played(tumbling, made)) if event.get("motion"))
        for method in ("HEAD", "POST", "PUT", "DELETE"):
            answer = http.request(method, f"/api/tables/{made['table']['id']}/motions/{n}")
            assert answer.status_code == http.request(method, f"/api/tables/{made['table']['id']}/events").status_code
            assert answer.status_code == 405


def test_who_asks_too_often_is_told_to_wait(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me")
    address = f"/api/tables/{made['table']['id']}/motions/0"
    answers = [http.get(address) for _ in range(HOME["pictures"][0] + 30)]
    assert answers[0].status_code == 404 and answers[-1].status_code == 429
    Household.move()
    with browser(server.url) as elsewhere:
        assert elsewhere.get(address).status_code == 404


def test_the_reference_of_the_api_knows_motions(http: httpx.Client) -> None:
    paths = http.get("/api/schema/openapi.json").json()["paths"]
    (operation,) = (methods["get"] for path, methods in paths.items() if "motions" in path)
    assert list(operation["responses"]["200"]["content"]) == ["application/octet-stream"]
    assert "motions" in http.get("/docs").text

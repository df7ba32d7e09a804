"""A fifth game in one folder: examples/noughts, dropped among the games of a copy, works with no other edit."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from cupboard.core.registry import names

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.fifth_game import NOUGHTS, Copy  # noqa: E402
from tests.server.helpers import Household, SocketPlayer, browser, lay, serving  # noqa: E402

EVERY_GAME = (ROOT / "tests" / "test_every_game.py", ROOT / "tests" / "test_every_position.py")
SOURCES = ("__init__", "kernel", "evaluate", "knowledge", "rules", "scene")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    return Copy(tmp_path_factory.mktemp("copy"))


def test_it_is_as_short_as_a_day_is() -> None:
    assert "noughts" not in names()
    assert sum(len((NOUGHTS / f"{name}.py").read_text().splitlines()) for name in SOURCES) < 300
    others = {path.stem for path in NOUGHTS.glob("*.py")} - {*SOURCES, "reference"}
    assert all(name.startswith("test_") for name in others), f"{others} are not counted"


def test_it_is_found_and_keeps_the_promises_of_the_protocol(copy: Copy) -> None:
    code = """
import cupboard
from cupboard.core.testing import check_game
print(cupboard.__file__, *cupboard.names())
check_game(cupboard.load("noughts"), matches=10)
"""
    where, *found = copy.run("-W", "error", "-c", code).split()
    assert Path(where).is_relative_to(copy.home), "the copy is not what runs"
    assert set(found) == {*names(), "noughts"}


def pytest_of(copy: Copy, fails: bool = False) -> str:
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", ROOT / "pyproject.toml"]
    return copy.run(*tests, "-k", "noughts", *EVERY_GAME, copy.folder, fails=fails)


def test_its_own_tests_and_those_of_every_game_pass(copy: Copy) -> None:
    assert " passed" in pytest_of(copy)


def test_a_folder_without_counts_fails_with_a_sentence_and_the_others_are_tested(copy: Copy) -> None:
    counts = copy.folder / "perft.txt"
    kept = counts.read_text()
    counts.unlink()
    try:
        said = pytest_of(copy, fails=True)
    finally:
        counts.write_text(kept)
    assert "noughts lacks perft.txt" in said and "1 failed" in said and " passed" in said


def test_types_and_imports_are_in_order(copy: Copy) -> None:
    copy.run("-m", "mypy", "--config-file", "pyproject.toml", "--exclude", "nothing", "src/cupboard/games/noughts")
    assert "Games do not know each other KEPT" in copy.run(
        "-c", "from importlinter.cli import lint_imports_command as c; c()"
    )


def test_the_command_line_knows_it(copy: Copy) -> None:
    assert "noughts" in copy.cupboard("games")
    assert "NC-3" in copy.cupboard("rules", "noughts")
    assert "15120" in copy.cupboard("perft", "noughts", 5).replace(",", "")
    assert "<svg" in copy.cupboard("draw", copy.folder / "records" / "line.game")
    assert "Red has three in a row" in copy.cupboard("replay", copy.folder / "records" / "line.game")
    assert "noughts" in copy.cupboard("bench", "noughts", "--seconds", 0.1)


def test_every_level_plays_in_the_arena(copy: Copy) -> None:
    words = ("--ladder", "--games", 12, "--nodes", 200, "--workers", 0, "--out", copy.home / "arena", "--json")
    report = json.loads(copy.cupboard("arena", "noughts", *words).splitlines()[0])
    assert report["games"] == 12 and set(report["players"]) == set(copy.levels())


def test_a_lost_game_is_analysed(copy: Copy) -> None:
    judged = json.loads(copy.cupboard("analyse", copy.folder / "records" / "line.game", "--nodes", 2000, "--json"))
    costs = {move["move"]: move["cost"] for move in judged["moves"] if move["seat"] == "B"}
    assert max(costs, key=lambda move: costs[move]) == "b1", "Blue lost by answering the middle on a side"
    assert "b1" in copy.cupboard("analyse", copy.folder / "records" / "line.game", "--nodes", 2000)


@pytest.fixture
def serve_copy(copy: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server that has the fifth game."""
    monkeypatch.setenv("PYTHONPATH", copy.environment["PYTHONPATH"])
    Household.move()
    with serving(tmp_path) as server:
        yield server.port


def play_every_level(port: int) -> list[str]:
    """A game at a table with each level that the server offers, which are returned."""
    with browser(f"http://127.0.0.1:{port}") as http:
        (info,) = (game for game in http.get("/api/games").json() if game["name"] == "noughts")
    levels = [level["level"] for level in info["levels"]]
    for level in levels:
        Household.move()
        with browser(f"http://127.0.0.1:{port}") as visitor:
            made = lay(visitor, "noughts", "me", f"bot:{level}")
        asyncio.run(play_out(port, made["table"]["id"], made["keys"][0]["token"], Random(level)))
    return levels


def test_a_table_is_played_to_its_end_against_every_level(copy: Copy, serve_copy: int) -> None:
    levels = play_every_level(serve_copy)
    assert levels == copy.levels() and len(levels) >= 5


@pytest.fixture
def ignorance(copy: Copy) -> Iterator[None]:
    """For a while the game knows nothing but its rules."""
    knowledge, aside = copy.folder / "knowledge.py", copy.home / "knowledge.py"
    knowledge.rename(aside)
    yield
    aside.rename(knowledge)


def test_a_game_that_knows_only_its_rules_plays_everywhere_too(ignorance: None, copy: Copy, serve_copy: int) -> None:
    assert play_every_level(serve_copy) == copy.levels() == ["sprout", "sapling"]
    judged = json.loads(copy.cupboard("analyse", copy.folder / "records" / "line.game", "--nodes", 500, "--json"))
    assert len(judged["moves"]) == 7
    record = copy.home / "played.game"
    copy.cupboard("play", "noughts", "--seats", "sprout,sequoia", "--save", record)
    assert "= " in record.read_text()


async def play_out(port: int, table: str, token: str, rng: Random) -> None:
    """Random moves against a bot until the game is over; the first is what a hint says."""
    player = await SocketPlayer.sit(port, table, token)
    await player.send(type="hint")
    hinted = (await player.until("hint"))["move"]["text"]
    assert hinted in [move["text"] for move in player.update["moves"]]
    await player.move(hinted)
    while await player.until_asked():
        await player.move(rng.choice(player.update["moves"])["text"])
    assert player.update["outcome"]["reason"] in ("line", "full")
    await player.close()

"""Bots at many tables: what they keep in memory has a limit, and no table waits for one that gave up."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import wraps
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.server.inside import house, seated, until

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game, Move, Position, View
from cupboard.core.registry import load
from cupboard.core.row import Row
from cupboard.core.words import say
from cupboard.games.jumping_cups.rules import CupPosition
from cupboard.server.errors import Busy
from cupboard.server.people.names import called
from cupboard.server.people.people import Person
from cupboard.server.table import bot_turns, bots, moves, thinking
from cupboard.server.table.bots import Bots
from cupboard.server.table.plan import lay
from cupboard.server.table.room import Room
from cupboard.server.table.summary import seat_infos
from cupboard.server.wire.tables import NewTable, SeatPlan

Test = Callable[..., Awaitable[None]]


def looped(test: Test) -> Callable[..., None]:
    @wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        asyncio.run(test(*args, **kwargs))  # type: ignore[arg-type]

    return run


def looking() -> View[Any]:
    return load("jumping-cups", starter="red").start().seen_by(0)


@looped
async def test_a_bot_keeps_its_seat_until_many_others_have_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "_MOST_KEPT", 3)
    view, all_bots = looking(), Bots(1.0)
    await all_bots.choose("table", "random", view)
    first = all_bots._seated["table", 0]
    for other in range(2):
        await all_bots.choose(f"another {other}", "random", view)
    await all_bots.choose("table", "random", view)
    assert all_bots._seated["table", 0] is first
    for other in range(3):
        await all_bots.choose(f"yet another {other}", "random", view)
    assert ("table", 0) not in all_bots._seated and len(all_bots._seated) == 3
    all_bots.close()


@looped
async def test_the_bots_of_a_table_that_is_left_are_forgotten() -> None:
    view, all_bots = looking(), Bots(1.0)
    for table in ("table", "another"):
        await all_bots.choose(table, "random", view)
    all_bots.leave("table")
    assert list(all_bots._seated) == [("another", 0)]
    all_bots.close()


# Bots that give up.


class Broken:
    def choose(self, view: View[Any]) -> Move:
        raise RuntimeError("out of ideas")


def cannot_be_made(game: Game[Any], seed: int) -> Broken:
    raise RuntimeError("no such table")


async def lay_against(tables: Any, people: Any, level: str) -> Room:
    maker, _ = await people.welcome("Ida")
    new = NewTable("jumping-cups", (SeatPlan("me"), SeatPlan("bot", level=level)), {"starter": "red"})
    room: Room = await tables.lay(new, maker)
    return room


def moved(room: Room) -> Callable[[], bool]:
    return lambda: room.state.asked == (0,) and len(room.state.played) == 2


@pytest.mark.parametrize("greedy", ["sound", "broken"])
@pytest.mark.parametrize("maker", [cannot_be_made, lambda game, seed: Broken()])
@looped
async def test_a_table_never_waits_for_a_bot_that_gave_up(
    maker: Any, greedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even where the modest move that stands in cannot be found either, some legal move is played."""
    async with house(tmp_path) as (tables, people, _):
        room = await lay_against(tables, people, "random")
        monkeypatch.setattr(thinking, "make_player", lambda level, game, seed: maker(game, seed))
        if greedy == "broken":
            monkeypatch.setattr("cupboard.players.safe.Greedy", cannot_be_made)
        with caplog.at_level(logging.WARNING):
            await moves.move(room, seated(room, 0), None, "5-6", room.state.version)
            await until(moved(room))
        said = [record for record in caplog.records if record.name.startswith("cupboard.server")]
        assert len(said) <= 2 and not room.thinking


@looped
async def test_a_move_that_could_not_be_written_is_made_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "_FIRST_WAIT", 0.01)
    async with house(tmp_path) as (tables, people, _):
        room = await lay_against(tables, people, "random")
        known, fails = moves.play, iter([True, True, False])

        async def play(room: Room, seat: int, move: Move | str, **more: Any) -> None:
            if next(fails):
                raise Busy("somebody else is writing")
            await known(room, seat, move, **more)

        monkeypatch.setattr(bot_turns, "play", play)
        await moves.move(room, seated(room, 0), None, "5-6", room.state.version)
        await until(moved(room))
        assert next(fails, None) is None


# One check.


@looped
async def test_the_legality_of_a_move_is_checked_once_on_its_way_to_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person's text and a bot's Move alike: no second check, and no Move that becomes text and is read again."""
    checks: list[Move] = []
    known = Position._after

    def counted(self: Position[Any], move: Move, seat: int | None) -> Row:
        checks.append(move)
        return known(self, move, seat)

    async with house(tmp_path) as (tables, people, _):
        room = await lay_against(tables, people, "random")
        client = seated(room, 0)
        monkeypatch.setattr(Position, "_after", counted)
        monkeypatch.setattr(CupPosition, "_is_legal", lambda *_: pytest.fail("checked twice"))
        reads: list[str] = []
        read = CupPosition._read

        def noted(self: CupPosition, text: str, seat: int | None) -> tuple[Any, int | None]:
            reads.append(text)
            return read(self, text, seat)

        monkeypatch.setattr(CupPosition, "_read", noted)
        rng = Random(1)
        for _ in range(5):
            text = str(rng.choice(room.state.position.moves(0)))
            await moves.move(room, client, None, text, room.state.version)
            assert reads == [text]
            reads.clear()
            await until(lambda: room.state.asked == (0,))
        assert not reads and checks == [room.state.made[n] for n in room.state.played] and len(checks) == 10


def test_only_bots_that_can_play_a_game_are_seated() -> None:
    game = load("cup-king", 2)
    assert [bots.check_level(game, level) for level in ("", "hazel", "ismcts")] == ["sapling", "hazel", "ismcts"]
    for level in ("alphabeta", "mcts", "nobody"):
        with pytest.raises(UnknownPlayer, match="sprout"):
            bots.check_level(game, level)


def test_bots_of_one_level_at_a_table_have_different_names() -> None:
    levels = ("oak", "sprout", "oak", "oak", "random")
    seats = (SeatPlan("me"), *(SeatPlan("bot", level=level) for level in levels))
    plan, _ = lay(NewTable("cup-king", seats), Person("ida", "Ida"))
    infos = seat_infos(plan)[1:]
    assert [info.name for info in infos] == ["Oak bot", "Sprout bot", "Finn (Oak bot)", "Ida (Oak bot)", "Random bot"]
    shown = [say(info.words, "de") for info in infos if info.words is not None]
    assert shown == ["Eiche-Bot", "Keim-Bot", "Finn (Eiche-Bot)", "Ida (Eiche-Bot)"]
    assert called("Ada (Oak bot)", "oak") is None, "a person may have called it so"

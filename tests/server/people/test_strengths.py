"""Games against bots say how strong a person is: which of them, what they say, and whose they are."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay
from tests.server.inside import house, seated, until
from tests.server.postgres import database_for, rows_of

from cupboard.core.game import Outcome
from cupboard.core.words import phrase
from cupboard.server.people.people import Person
from cupboard.server.people.results import MOST_WEIGHED, Result, write_result
from cupboard.server.people.strengths import Strengths
from cupboard.server.table import flags, offers
from cupboard.server.table.moves import play
from cupboard.server.table.plan import Draft
from cupboard.server.table.plan import lay as plan_of
from cupboard.server.table.results import result_of, result_of_leaving
from cupboard.server.table.room import Room
from cupboard.server.table.state import TableState
from cupboard.server.wire.strength import StrengthInfo
from cupboard.server.wire.tables import NewTable, SeatPlan

IDA = Person("ida", "Ida")
WON = Outcome((0,), 2, "filled", phrase("turn.over"))
LOST = Outcome((1,), 2, "filled", phrase("turn.over"))
RESIGNED = Outcome((1,), 2, "resigned", phrase("turn.over"))


def found(game: str, *kinds: str, outcome: Outcome = WON, moves: int = 3, takeback: bool = False) -> Result | None:
    """The result at a table with these seats after so many moves of the first."""
    seats = tuple(SeatPlan(kind.partition(":")[0], level=kind.partition(":")[2]) for kind in kinds)  # type: ignore[arg-type]
    plan, drafts = plan_of(NewTable(game, seats), IDA)
    state = TableState(plan.game, None, plan.bots)
    for n, draft in enumerate(drafts):
        state.add(draft.entry(n, 0), draft.step)
    own = 0
    while own < moves and not state.position.is_over:
        seat = state.position.to_act[0]
        step = state.position.step(state.position.moves(seat)[0], seat)
        state.add(Draft.of(step).entry(state.version, 0), step)
        own += seat == 0
    if takeback:
        target = state.takeback_target(0)
        state.add(Draft("takeback", 0, str(target)).entry(state.version, 0))
    return result_of(plan, state, outcome, 5)


def test_a_game_of_one_person_against_bots_counts() -> None:
    result = found("jumping-cups", "me", "bot:hazel")
    assert result is not None
    assert (result.person, result.name, result.seats, result.against) == ("ida", "jumping-cups", 2, ("hazel",))
    assert (result.share, result.left_out, result.level, result.at) == (1.0, "", "hazel", 5)
    lost = found("jumping-cups", "me", "bot:hazel", outcome=LOST)
    assert lost is not None and lost.share == 0.0


def test_of_several_seats_everybody_has_a_share() -> None:
    shared = Outcome((0, 2), 3, "filled", phrase("turn.over"))
    result = found("double-dutch", "me", "bot:sprout", "bot:maple", outcome=shared)
    assert result is not None and (result.share, result.against, result.level) == (0.5, ("sprout", "maple"), "")


@pytest.mark.parametrize(
    "kinds", [("me", "me"), ("me", "me", "bot:oak"), ("bot:oak", "bot:oak"), ("me", "bot:oak", "open")]
)
def test_tables_of_several_people_or_of_none_say_nothing(kinds: tuple[str, ...]) -> None:
    assert found("double-dutch", *kinds, moves=0) is None


def test_help_and_looking_in_and_strangers_do_not_count() -> None:
    left_out = [
        found("jumping-cups", "me", "bot:oak", takeback=True),
        found("jumping-cups", "me", "bot:oak", outcome=RESIGNED, moves=1),
        found("jumping-cups", "me", "bot:random"),
        found("jumping-cups", "me", "bot:oak", outcome=RESIGNED, moves=2),
    ]
    assert [result and result.left_out for result in left_out] == ["helped", "short", "unknown", ""]


def test_who_leaves_a_game_that_goes_on_has_lost_it() -> None:
    plan, drafts = plan_of(NewTable("double-dutch", (SeatPlan("me"), SeatPlan("bot"), SeatPlan("bot"))), IDA)
    state = TableState(plan.game, None, plan.bots)
    for n, draft in enumerate(drafts):
        state.add(draft.entry(n, 0), draft.step)
    left = result_of_leaving(plan, state, 0, 7)
    assert left is not None and (left.share, left.left_out) == (0.0, "short")
    assert result_of_leaving(plan, state, 1, 7) is None


def test_results_are_written_with_the_end_of_the_game_and_with_leaving(tmp_path: Path) -> None:
    async def run() -> list[tuple[Any, ...]]:
        async with house(tmp_path) as (tables, people, _):
            ida, _ = await people.welcome("Ida")
            for seats in (("me", "bot"), ("me", "bot", "bot"), ("me", "me")):
                room = await tables.lay(NewTable("double-dutch", tuple(map(SeatPlan, seats))), ida)  # type: ignore[arg-type]
                await resigned(room)
        with rows_of(tmp_path) as db:
            return list(db.execute("SELECT seats, level, share, left_out FROM result ORDER BY seats"))

    async def resigned(room: Room) -> None:
        client = seated(room, 0)
        await offers.resign(room, client, 0)
        room.leave(client)

    assert asyncio.run(run()) == [(2, "sapling", 0.0, "short"), (3, "sapling", 0.0, "short")]


def test_a_clock_that_runs_out_is_a_loss(tmp_path: Path) -> None:
    async def run() -> list[tuple[Any, ...]]:
        async with house(tmp_path) as (tables, people, _):
            ida, _ = await people.welcome("Ida")
            room = await tables.lay(
                NewTable("jumping-cups", (SeatPlan("me"), SeatPlan("bot")), {"starter": "red"}), ida
            )
            client = seated(room, 0)
            for _ in range(3):
                await until(lambda: 0 in room.state.asked)
                async with room.lock:
                    await play(room, 0, room.state.position.moves(0)[0])
            async with room.lock:
                if room.state.outcome is None:
                    await flags.give_up(room, 0, "time")
            room.leave(client)
        with rows_of(tmp_path) as db:
            return list(db.execute("SELECT share, left_out FROM result"))

    assert asyncio.run(run()) == [(0.0, "")]


def results(*shares: float, level: str = "hazel", name: str = "jumping-cups", seats: int = 2) -> list[Result]:
    against = (level,) * (seats - 1)
    return [Result(f"{name}{n}", 0, "ida", name, seats, against, share, "", n) for n, share in enumerate(shares)]


def strength(tmp_path: Path, played: list[Result], game: str = "jumping-cups", seats: int = 2) -> StrengthInfo:
    """The strength that follows from these rows."""

    if database_for(tmp_path):
        pytest.skip("results of games that are not there are written")

    async def run() -> StrengthInfo:
        async with house(tmp_path) as (_, _, store):

            def write(conn: Any) -> None:
                conn.exec_driver_sql("PRAGMA defer_foreign_keys=ON")
                conn.exec_driver_sql("INSERT OR IGNORE INTO person (id, name, made) VALUES ('ida', 'Ida', 0)")
                for result in played:
                    conn.exec_driver_sql(
                        "INSERT OR IGNORE INTO game (id, root, name, seats, options, listed, maker, made, status) "
                        "VALUES (?, ?, ?, ?, '{}', 0, 'ida', 0, 'over')",
                        (result.game, result.game, result.name, result.seats),
                    )
                    write_result(conn, result)

            await store.write(write)
            all_of_them = await Strengths(store).all(IDA)
            return next(info for info in all_of_them if (info.game, info.seats) == (game, seats))

    return asyncio.run(run())


def test_a_stranger_is_told_where_to_begin(tmp_path: Path) -> None:
    info = strength(tmp_path, [])
    assert (info.games, info.words.key) == (0, "strength.unknown")
    assert info.fits in ("sapling", "hazel", "seedling")


def test_the_words_name_the_level_one_plays_like_and_the_next(tmp_path: Path) -> None:
    info = strength(tmp_path, results(*[1, 0] * 15))
    assert (info.games, info.fits, info.next) == (30, "hazel", "birch")
    assert str(info.words) == "You play about like Hazel; Birch is next."
    assert info.low < info.elo < info.high


def test_after_one_game_it_is_said_with_reserve(tmp_path: Path) -> None:
    assert strength(tmp_path, results(1)).words.key == "strength.guess"


def test_nobody_is_stronger_than_the_strongest(tmp_path: Path) -> None:
    info = strength(tmp_path, results(*[1] * 30, level="sequoia"))
    assert (info.fits, info.next, info.words.key) == ("sequoia", "", "strength.top")


def test_only_the_last_hundred_count_and_games_do_not_mix(tmp_path: Path) -> None:
    old = results(*[0] * 150)
    assert strength(tmp_path, old).games == MOST_WEIGHED
    other = results(*[1] * 3, name="double-dutch")
    assert strength(tmp_path, other, "double-dutch").games == 3
    assert strength(tmp_path, [], "double-dutch", 3).games == 0


def test_a_level_that_this_number_of_seats_leaves_out_is_the_one_below(tmp_path: Path) -> None:
    """Willow does not play Jumping Cups: whoever asked for it met Hazel."""
    assert strength(tmp_path, results(*[1, 0] * 15, level="willow")).fits == "hazel"


# Over HTTP.


async def lose(server: Server, http: httpx.Client, kinds: tuple[str, ...], hint: bool = False) -> str:
    """Play three moves of a game, then resign; returns the table."""
    made = lay(http, "jumping-cups", *kinds)
    player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
    for _ in range(3):
        assert await player.until_asked()
        if hint:
            await player.send(type="hint")
            await player.until("hint")
            hint = False
        await player.move(player.update["moves"][0]["text"])
    await player.say(type="resign")
    await player.close()
    return str(made["table"]["id"])


def test_strength_and_games_are_told_to_their_person_alone(server: Server, http: httpx.Client) -> None:
    lost = asyncio.run(lose(server, http, ("me", "bot:sprout")))
    helped = asyncio.run(lose(server, http, ("me", "bot:sprout"), hint=True))
    infos = {(info["game"], info["seats"]): info for info in http.get("/api/strength").json()}
    assert len(infos) == 12
    mine = infos["jumping-cups", 2]
    assert (mine["games"], mine["fits"]) == (1, "sprout")
    progress = http.get("/api/strength/jumping-cups").json()
    assert [point["table"] for point in progress["points"]] == [lost]
    assert progress["tallies"] == [{"level": "sprout", "seats": 2, "won": 0, "drawn": 0, "lost": 2}]
    page = http.get("/api/mine/jumping-cups").json()
    assert [(one["table"]["id"], one.get("left_out", "")) for one in page["tables"]] == [(helped, "helped"), (lost, "")]
    with browser(server.url) as stranger:
        assert {info["games"] for info in stranger.get("/api/strength").json()} == {0}
        assert stranger.get("/api/strength/jumping-cups").json()["points"] == []
        assert stranger.get("/api/mine/jumping-cups").json() == {"tables": []}


def test_the_games_of_a_guest_become_the_accounts(server: Server) -> None:
    login = {"username": "strongida", "password": "correct horse battery"}
    with browser(server.url) as first:
        asyncio.run(lose(server, first, ("me", "bot:sprout")))
        assert first.post("/api/account", json=login).status_code == 201
        assert games(first) == 1
    with browser(server.url) as second:
        asyncio.run(lose(server, second, ("me", "bot:sprout")))
        assert second.post("/api/session", json=login).status_code == 201
        assert games(second) == 2


def games(http: httpx.Client) -> int:
    return int(http.get("/api/strength/jumping-cups").json()["strengths"][0]["games"])


def test_tables_come_in_pages(server: Server, http: httpx.Client) -> None:
    made = [lay(http, "double-dutch", "me", "friend")["table"]["id"] for _ in range(23)]
    lay(http, "jumping-cups", "me", "friend")
    first = http.get("/api/mine/double-dutch").json()
    assert [one["table"]["id"] for one in first["tables"]] == made[:2:-1]
    second = http.get("/api/mine/double-dutch", params={"before": first["more"]}).json()
    assert ([one["table"]["id"] for one in second["tables"]], second.get("more", 0)) == (made[2::-1], 0)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/api/strength/nothing", 404),
        ("/api/mine/nothing", 404),
        ("/api/mine/jumping-cups?before=-1", 400),
        ("/api/mine/jumping-cups?before=99999999999999999999", 400),
        ("/api/mine/jumping-cups?before=soon", 400),
        (f"/api/strength/{'x' * 3000}", 404),
    ],
)
def test_bad_questions_are_refused(http: httpx.Client, path: str, status: int) -> None:
    answer = http.get(path)
    assert (answer.status_code, "sentence" in answer.json()) == (status, True)


def test_who_asks_too_often_is_asked_to_wait(http: httpx.Client) -> None:
    lay(http, "jumping-cups", "me", "me")  # visitors without a session share more
    codes = [http.get("/api/mine/jumping-cups").status_code for _ in range(140)]
    assert codes[0] == 200 and 429 in codes


def test_reading_leaves_out_what_does_not_count(tmp_path: Path) -> None:
    counted = strength(tmp_path, [*results(1), Result("x", 0, "ida", "jumping-cups", 2, ("oak",), 1, "helped", 9)])
    assert counted.games == 1

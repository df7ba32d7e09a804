"""Playing at real tables: everything a page or a bot does."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine
from typing import Any

import httpx
import msgspec
import pytest
from tests.server.helpers import Server, SocketPlayer, browser, lay, said

import cupboard
from cupboard.core.changes import SceneChange, apply
from cupboard.core.record import Record
from cupboard.core.scene import Mark, Scene
from cupboard.players.levels import LEVELS, levels_of


async def duel(server: Server, http: httpx.Client, **more: Any) -> tuple[str, SocketPlayer, SocketPlayer]:
    made = lay(http, "jumping-cups", "me", "me", **({"options": {"starter": "red"}} | more))
    table = made["table"]["id"]
    return table, *[await SocketPlayer.sit(server.port, table, key["token"]) for key in made["keys"]]


def play(test: Callable[[Server, httpx.Client], Coroutine[Any, Any, None]]) -> Callable[[Server, httpx.Client], None]:
    def run(server: Server, http: httpx.Client) -> None:
        asyncio.run(test(server, http))

    run.__name__ = test.__name__
    return run


def chosen(player: SocketPlayer, rng: random.Random) -> str:
    return player.filled() if "filling" in player.update else str(rng.choice(player.update["moves"])["text"])


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        ("jumping-cups", 2, {}),
        ("double-dutch", 3, {}),
        ("chinese-checkers", 3, {"round_cap": 8}),
        ("cup-king", 6, {}),
    ],
)
def test_a_whole_game_between_people_and_bots(
    server: Server, http: httpx.Client, game: str, seats: int, options: dict[str, Any]
) -> None:
    made = lay(http, game, "me", "friend", *["bot:random"] * (seats - 2), options=options)
    table = made["table"]["id"]
    taken = http.post(f"/api/tables/{table}/seats/1", json={"invite": made["invites"][0]["invite"], "name": "Bo"})
    assert taken.status_code == 201, taken.text

    async def one(token: str) -> SocketPlayer:
        rng = random.Random(token)
        player = await SocketPlayer.sit(server.port, table, token)
        while await player.until_asked():
            answer = await player.move(chosen(player, rng))
            assert answer["type"] == "update" or answer["code"] == "stale", answer
        await player.close()
        return player

    async def both() -> tuple[SocketPlayer, SocketPlayer]:
        return await asyncio.gather(one(made["keys"][0]["token"]), one(taken.json()["key"]["token"]))

    players = asyncio.run(both())
    assert players[0].update["outcome"] == players[1].update["outcome"]
    assert [e["n"] for e in players[0].events] == list(range(players[0].version))
    record = Record.read(http.get(f"/api/tables/{table}/record.game").text)
    replayed = record.replay()
    assert replayed.position.is_over and replayed.names[1] == "Bo"
    assert list(replayed.position.outcome().winners) == players[0].update["outcome"]["winners"]  # type: ignore[union-attr]
    assert Record.from_json(http.get(f"/api/tables/{table}/record.json").json()) == record
    scenes = http.get(f"/api/tables/{table}/scenes").json()
    assert scenes[0]["version"] == 0 and scenes[-1]["version"] <= players[0].version
    scene = msgspec.convert(scenes[0]["scene"], Scene)
    for step in scenes[1:]:
        scene = apply(msgspec.convert(step["change"], SceneChange), scene)
    now = players[0].scene
    assert (scene.status, scene.players, scene.marks) == (now.status, now.players, now.marks), "the last step is now"
    assert scene == now or game == "cup-king", "hands are for their seats only"


@play
async def test_a_move_reaches_both_with_its_path(server: Server, http: httpx.Client) -> None:
    _, anna, bo = await duel(server, http)
    assert [m["text"] for m in anna.update["moves"]] == ["1-2", "2-3", "3-4", "4-5", "5-6"] and "moves" not in bo.update
    answer = await anna.move("5")
    assert answer["events"][0]["text"] == "5-6" and answer["events"][0]["path"] == ["5", "6"]
    assert "scene" not in answer, "the whole scene is sent once"
    assert anna.scene.marks == (Mark("from", "5"), Mark("to", "6"))
    assert (await bo.until("update"))["asked"] == [1] and len(bo.update["moves"]) == 5
    await anna.close()
    await bo.close()


@play
async def test_who_was_away_gets_what_was_missed(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})
    table, keys = made["table"]["id"], made["keys"]
    anna = await SocketPlayer.sit(server.port, table, keys[0]["token"])
    bo = await SocketPlayer.sit(server.port, table, keys[1]["token"])
    version = bo.version
    await bo.close()
    await anna.move("5-6")
    again = await SocketPlayer.sit(server.port, table, keys[1]["token"], version=version)
    assert [e["text"] for e in again.events] == ["5-6"] and again.update["asked"] == [1]
    missed_nothing = await SocketPlayer.sit(server.port, table, keys[1]["token"], version=again.version)
    assert missed_nothing.events == [] and missed_nothing.update["asked"] == [1]
    too_far = await SocketPlayer.sit(server.port, table, keys[1]["token"])
    await too_far.send(type="hello", version=too_far.version + 1)
    assert (await too_far.receive())["code"] == "bad-message"
    for player in (anna, again, missed_nothing, too_far):
        await player.close()


@play
async def test_a_refused_move_changes_nothing(server: Server, http: httpx.Client) -> None:
    table, anna, bo = await duel(server, http)
    before = http.get(f"/api/tables/{table}/events").json()
    for player, text, code in [
        (anna, "6-7", "illegal-move"),
        (anna, "banana", "bad-notation"),
        (bo, "10-9", "not-your-turn"),
    ]:
        answer = await player.move(text)
        assert answer["code"] == code and answer["sentence"].endswith(".")
    stale = await anna.say(type="move", text="5-6", version=0)
    assert stale["code"] == "stale"
    foreign = await anna.say(type="move", text="10-9", version=anna.version, seat=1)
    assert foreign["code"] == "not-your-seat"
    assert http.get(f"/api/tables/{table}/events").json() == before
    await anna.close()
    await bo.close()


@play
async def test_a_move_may_be_typed_loosely_and_is_kept_plainly(server: Server, http: httpx.Client) -> None:
    table, anna, bo = await duel(server, http)
    foreign = await anna.move("B:5-6")
    assert foreign["code"] == "not-your-turn" and "B: before a move" in foreign["sentence"]
    assert (await anna.move("F:5-6"))["code"] == "unknown-seat"
    await anna.move(" A: 5 – 6 ")
    await bo.receive()
    await bo.move("10 9")
    made = [event["text"] for event in http.get(f"/api/tables/{table}/events").json() if event["kind"] == "move"]
    assert made == ["5-6", "10-9"]
    await anna.close()
    await bo.close()


@play
async def test_chat_does_not_make_a_move_stale(server: Server, http: httpx.Client) -> None:
    _, anna, bo = await duel(server, http)
    version = anna.version
    await bo.say(type="chat", text="good\nluck \u0007!")
    answer = await anna.say(type="move", text="5-6", version=version)
    assert answer["type"] == "update" and anna.events[-2]["text"] == "good luck !"
    await anna.close()
    await bo.close()


@play
async def test_a_takeback_needs_consent(server: Server, http: httpx.Client) -> None:
    _, anna, bo = await duel(server, http)
    assert (await anna.say(type="offer", what="takeback"))["code"] == "no-takeback"
    await anna.move("5-6")
    offered = await anna.say(type="offer", what="takeback")
    assert offered["offers"] == [{"what": "takeback", "seat": 0, "waits": [1]}]
    assert (await anna.say(type="answer", what="takeback", yes=True))["code"] == "no-offer", "not by the asker"
    while not bo.update.get("offers"):
        await bo.until("update")
    assert "offers" not in await bo.say(type="answer", what="takeback", yes=False)
    await anna.say(type="offer", what="takeback")
    await bo.say(type="chat", text="very well")
    answer = await bo.say(type="answer", what="takeback", yes=True)
    assert answer["asked"] == [0] and [e["kind"] for e in answer["events"]] == ["agree", "takeback"]
    while anna.update["asked"] != [0]:
        await anna.until("update")
    assert (await anna.move("4-5"))["asked"] == [1]
    await anna.close()
    await bo.close()


@play
async def test_bots_consent_and_one_screen_asks_nobody(server: Server, http: httpx.Client) -> None:
    made = lay(http, "double-dutch", "me", "bot:random")
    anna = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
    assert await anna.until_asked()
    await anna.move(anna.update["moves"][0]["text"])
    assert await anna.until_asked()
    answer = await anna.say(type="offer", what="takeback")
    assert [e["kind"] for e in answer["events"]] == ["offer", "takeback"] and answer["asked"] == [0]
    assert [e["kind"] for e in (await anna.say(type="offer", what="draw"))["events"]] == ["offer", "decline"]
    await anna.close()
    made = lay(http, "double-dutch", "me", "me")
    both = await SocketPlayer.sit(server.port, made["table"]["id"], *[key["token"] for key in made["keys"]])
    assert both.update["seat"] == both.update["asked"][0]
    for _ in range(2):
        await both.move(both.update["moves"][0]["text"])
        assert both.update["seat"] == both.update["asked"][0], "the one who is asked sees the table"
    answer = await both.say(type="offer", what="draw")
    assert answer["outcome"]["reason"] == "agreed" and answer["outcome"]["winners"] == [0, 1]
    await both.close()


@play
async def test_resigning_ends_it_and_a_rematch_turns_the_table(server: Server, http: httpx.Client) -> None:
    table, anna, bo = await duel(server, http)
    assert (await anna.say(type="offer", what="rematch"))["code"] == "not-over"
    answer = await anna.say(type="resign")
    assert (answer["outcome"]["winners"], answer["outcome"]["reason"]) == ([1], "resigned")
    assert said(answer["outcome"]["sentence"]) == "Red resigned."
    assert said(answer["change"]["status"]) == "Red resigned. Yellow wins." and "asked" not in answer
    assert (await anna.move("5-6"))["code"] == "game-over"
    assert (await anna.say(type="resign"))["code"] == "game-over"
    await anna.say(type="offer", what="rematch")
    await bo.say(type="answer", what="rematch", yes=True)
    new = bo.events[-1]["text"]
    assert bo.events[-1]["kind"] == "rematch" and http.get(f"/api/tables/{table}").json()["rematch"] == new
    info = http.get(f"/api/tables/{new}").json()
    assert info["status"] == "playing" and info["yours"] == [0, 1]
    keys = {key["seat"]: key["token"] for key in http.get(f"/api/tables/{new}/keys").json()}
    old = {key["seat"]: key["token"] for key in http.get(f"/api/tables/{table}/keys").json()}
    assert keys == {1: old[0], 0: old[1]}, "the same tokens, one seat further"
    text = http.get(f"/api/tables/{table}/record.game").text
    assert '[Termination "Red resigned."]' in text and not Record.read(text).replay().position.is_over
    await anna.close()
    await bo.close()


@play
async def test_with_many_seats_a_bot_plays_on(server: Server, http: httpx.Client) -> None:
    made = lay(http, "double-dutch", "me", "me", "me")
    table, keys = made["table"]["id"], made["keys"]
    anna = await SocketPlayer.sit(server.port, table, keys[0]["token"])
    answer = await anna.say(type="resign")
    assert anna.events[-1]["kind"] == "handover" and answer["status"] == "playing"
    seats = http.get(f"/api/tables/{table}").json()["seats"]
    assert seats[0]["kind"] == "bot" and [seat["kind"] for seat in seats[1:]] == ["person", "person"]
    assert (await anna.say(type="chat", text="still here"))["code"] == "not-your-seat"
    refused = await SocketPlayer.sit(server.port, table, keys[1]["token"])
    await refused.send(type="hello", tokens=[keys[0]["token"]])
    while (answer := await refused.receive())["type"] == "update":
        pass  # the bot may have moved meanwhile
    assert answer["code"] == "not-your-seat"
    while refused.update["asked"] == [0]:
        await refused.until("update")
    await anna.close()
    await refused.close()


@play
async def test_the_server_calls_the_flag(server: Server, http: httpx.Client) -> None:
    _, anna, bo = await duel(server, http, clock={"start": 5, "gain": 1})
    assert anna.update["times"]["running"] == [0] and anna.update["times"]["left"][1] == 5000
    answer = await anna.move("5-6")
    assert answer["times"]["left"][0] > 5000 and answer["times"]["running"] == [1]
    while anna.update["status"] != "over":
        await anna.until("update")
    assert anna.update["outcome"]["reason"] == "time" and anna.update["outcome"]["winners"] == [0]
    assert (await bo.move("10-9"))["code"] == "game-over"
    await anna.close()
    await bo.close()


@play
async def test_a_hint_is_a_legal_move_for_one_pair_of_eyes(server: Server, http: httpx.Client) -> None:
    _, anna, bo = await duel(server, http)
    hint = await anna.say(type="hint")
    assert hint["type"] == "hint" and hint["move"]["text"] in [m["text"] for m in anna.update["moves"]]
    assert (await bo.say(type="hint"))["code"] == "bad-message"
    assert (await bo.say(type="ping"))["type"] == "pong"
    assert all(got["type"] != "hint" for got in bo.others)
    await anna.close()
    await bo.close()


async def agree_on_hints(anna: SocketPlayer, bo: SocketPlayer) -> None:
    await anna.say(type="offer", what="hints")
    assert (await bo.say(type="answer", what="hints", yes=True))["hints"]


@play
async def test_between_people_there_are_hints_only_when_all_have_agreed(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "open", options={"starter": "red"})
    table = made["table"]["id"]
    with browser(server.url) as other:
        taken = other.post(f"/api/tables/{table}/seats/1", json={"name": "Bo"}).json()
    assert taken["table"]["company"] and http.get(f"/api/tables/{table}").json()["company"]
    anna = await SocketPlayer.sit(server.port, table, made["keys"][0]["token"])
    bo = await SocketPlayer.sit(server.port, table, taken["key"]["token"])
    refused = await anna.say(type="hint")
    assert refused["code"] == "no-hints" and "all have agreed" in refused["sentence"]
    await anna.say(type="offer", what="hints")
    assert (await anna.say(type="hint"))["code"] == "no-hints", "asking is not agreeing"
    await bo.say(type="answer", what="hints", yes=False)
    assert (await anna.say(type="hint"))["code"] == "no-hints"
    await agree_on_hints(anna, bo)
    assert (await anna.say(type="hint"))["type"] == "hint"
    assert (await anna.say(type="offer", what="hints"))["code"] == "no-offer", "they are allowed already"
    await anna.move("5-6")
    assert (await bo.say(type="hint"))["type"] == "hint", "for the whole game"
    await anna.close()
    await bo.close()


@play
async def test_somebody_who_plays_alone_needs_nobodys_consent(server: Server, http: httpx.Client) -> None:
    for rest in ("me", "bot:sprout"):
        made = lay(http, "jumping-cups", "me", rest, options={"starter": "red"})
        assert "company" not in made["table"]
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        assert (await player.say(type="offer", what="hints"))["code"] == "no-offer"
        assert (await player.say(type="hint"))["type"] == "hint"
        await player.close()


@play
async def test_one_screen_looks_from_either_side(server: Server, http: httpx.Client) -> None:
    made = lay(http, "cup-king", "me", "me")
    screen = await SocketPlayer.sit(server.port, made["table"]["id"], *[key["token"] for key in made["keys"]])
    assert screen.update["seat"] == 0 and screen.update["asked"] == [0, 1]
    hands = [{piece.spot for piece in screen.scene.pieces if piece.kind == "card"}]
    await screen.send(type="look", seat=1)
    await screen.until("update")
    hands.append({piece.spot for piece in screen.scene.pieces if piece.kind == "card"})
    assert screen.update["seat"] == 1 and hands[0] != hands[1] and "filling" in screen.update
    assert not any("," in e["text"] for e in screen.events if e["kind"] == "move"), "the log shows no dealt cards"
    await screen.close()


@play
async def test_presence_is_seen(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "friend")
    table = made["table"]["id"]
    anna = await SocketPlayer.sit(server.port, table, made["keys"][0]["token"])
    assert said(anna.update["scene"]["status"]) == "Waiting for players." and anna.update["status"] == "waiting"
    assert (await anna.move("5-6"))["code"] == "not-started"
    taken = http.post(f"/api/tables/{table}/seats/1", json={"invite": made["invites"][0]["invite"]}).json()
    await anna.until("update")
    assert anna.update["status"] == "playing"
    bo = await SocketPlayer.sit(server.port, table, taken["key"]["token"])
    here = [got for got in [await anna.receive(), await anna.receive()] if got["type"] == "seats"][-1]
    assert [seat.get("here", False) for seat in here["seats"]] == [True, True]
    await bo.close()
    assert [seat.get("here", False) for seat in (await anna.until("seats"))["seats"]] == [True, False]
    await anna.close()


@play
async def test_spectators_are_counted_and_hold_nothing(server: Server, http: httpx.Client) -> None:
    table, anna, bo = await duel(server, http)
    watchers = [await SocketPlayer.sit(server.port, table) for _ in range(2)]
    while (await anna.until("seats")).get("watching") != 2:
        pass
    assert http.get(f"/api/tables/{table}").json()["watching"] == 2
    assert [watcher.others[0]["table"]["watching"] for watcher in watchers] == [1, 2]
    await watchers[0].close()
    assert (await anna.until("seats"))["watching"] == 1
    await bo.close()
    gone = await anna.until("seats")
    assert gone["watching"] == 1 and not gone["seats"][1].get("here", False)
    await watchers[1].close()
    assert "watching" not in await anna.until("seats")
    await anna.close()


def test_the_lists_show_what_is_going_on(server: Server, http: httpx.Client) -> None:
    waiting = lay(http, "jumping-cups", "me", "open", listed=True)["table"]["id"]
    hidden = lay(http, "jumping-cups", "me", "friend")["table"]["id"]
    playing = lay(http, "jumping-cups", "me", "me", listed=True)["table"]["id"]
    lobby = http.get("/api/tables").json()
    joinable, watchable = ({t["id"] for t in lobby[key]} for key in ("join", "watch"))
    assert waiting in joinable and playing in watchable and hidden not in joinable | watchable
    mine = http.get("/api/mine").json()
    assert {waiting, hidden, playing} <= {t["id"] for t in mine["running"]} and mine["finished"] == []
    assert all(t["yours"] for t in mine["running"])
    with browser(server.url) as other:
        assert other.get("/api/mine").json() == {"running": [], "finished": []}
        answer = other.post(f"/api/tables/{waiting}/seats/1", json={"name": "Cy"})
        assert answer.status_code == 201 and answer.json()["table"]["status"] == "playing"
        assert other.post(f"/api/tables/{waiting}/seats/1", json={}).json()["code"] == "seat-taken"


def test_the_shelf(http: httpx.Client) -> None:
    games = {game["name"]: game for game in http.get("/api/games").json()}
    assert set(games) == set(cupboard.names())
    assert games["cup-king"]["secrets"] and "secrets" not in games["jumping-cups"]
    for name, game in games.items():
        levels = {level["level"]: level for level in game["levels"]}
        assert list(levels) == [level for level in LEVELS if level in levels] and levels[LEVELS[0]]["words"]
        for seats in game["seats"]:
            there = tuple(level for level in levels if seats in levels[level]["seats"])
            assert there == levels_of(cupboard.load(name, seats))
        assert http.get(f"/api/games/{name}/rules").text.startswith("# ")
        assert http.get(f"/api/games/{name}/picture.svg?theme=dark").text.startswith("<svg")
        assert http.get(f"/api/games/{name}/scene").json()["scene"]["parts"][0]["cells"]
    table = lay(http, "jumping-cups", "me", "me")["table"]["id"]
    assert http.get(f"/api/tables/{table}/picture.png").content.startswith(b"\x89PNG")
    assert http.get(f"/api/tables/{table}/picture.svg", params={"version": 1}).text.startswith("<svg")


@pytest.mark.parametrize("game", cupboard.names())
def test_every_level_can_sit_down(server: Server, http: httpx.Client, game: str) -> None:
    for level in ("", LEVELS[0], LEVELS[-1], "greedy"):
        made = lay(http, game, "me", f"bot:{level}" if level else "bot")
        assert made["table"]["seats"][1]["level"] == level or not level
    refused = http.post("/api/tables", json={"game": game, "seats": [{"kind": "me"}, {"kind": "bot", "level": "hal"}]})
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown-player")

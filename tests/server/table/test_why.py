"""Asking why something cannot be done: the rules answer, nothing is played, and nothing secret is told."""

from __future__ import annotations

import asyncio
import re
from random import Random
from typing import Any

import httpx
from tests.server.helpers import Server, SocketPlayer, lay, said

import cupboard
from cupboard.core.game import letter
from cupboard.core.scene import Scene
from cupboard.server.limits.rates import HOME
from cupboard.server.table.plan import Draft, begin
from cupboard.server.table.state import TableState

from ..inside import settle_by_odds

CARD = re.compile(r"\b[RYGBP][1-8]\b")


async def why(player: SocketPlayer, *spots: str, **more: Any) -> tuple[str, str]:
    answer = await player.say(type="why", spots=spots, **more)
    assert answer["type"] == "refused" and said(answer["words"]) == answer["sentence"]
    return answer["code"], answer["sentence"]


def test_the_rules_answer_and_nothing_is_played(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me", options={"starter": "red"})
    table = made["table"]["id"]

    async def ask() -> None:
        red, yellow = [await SocketPlayer.sit(server.port, table, key["token"]) for key in made["keys"]]
        watcher = await SocketPlayer.sit(server.port, table, watch=True)
        version = red.version
        assert await why(red, "5", "9") == ("illegal-move", (await red.move("5-9"))["sentence"])
        assert await why(red, "7") == ("illegal-move", "There is no cup on 7.")
        assert await why(red, "5", "6") == ("illegal-move", "Nothing forbids that.")
        assert await why(red, "hello", "there") == ("illegal-move", "That cannot be done here.")
        assert await why(yellow, "10") == ("not-your-turn", "It is not Yellow's turn: Red must act first.")
        assert (await why(yellow, "5", seat=0))[0] == "not-your-seat"
        assert (await why(watcher, "5"))[0] == "not-your-seat"
        assert (await red.say(type="chat", text="so that is why"))["version"] == version + 1, "nothing else happened"
        await red.say(type="resign")
        assert (await why(red, "5"))[0] == "game-over"
        for player in (red, yellow, watcher):
            await player.close()

    asyncio.run(ask())


def test_before_all_have_come_nobody_is_asked(server: Server, http: httpx.Client) -> None:
    made = lay(http, "double-dutch", "me", "friend")

    async def ask() -> None:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        assert (await why(player, "d4"))[0] == "not-started"
        await player.close()

    asyncio.run(ask())


def test_asking_why_is_limited_as_all_messages_are(server: Server, http: httpx.Client) -> None:
    made = lay(http, "jumping-cups", "me", "me")

    async def ask() -> None:
        player = await SocketPlayer.sit(server.port, made["table"]["id"], made["keys"][0]["token"])
        asked = HOME["messages"][0] + 20  # some more than may be said at once, fewer than end the connection
        for _ in range(asked):
            await player.send(type="why", spots=["7"])
        codes = [(await player.receive())["code"] for _ in range(asked)]
        assert "too-many" in codes[HOME["messages"][0] - 10 :] and "too-many" not in codes[:10]
        await player.close()

    asyncio.run(ask())


def test_no_answer_of_a_whole_game_of_cup_king_tells_a_hidden_card() -> None:
    """Somebody points at every place of every seat, in hands too: an answer names only cards of the own hand."""
    rng = Random(4)
    game = cupboard.load("cup-king", 3)
    state = TableState.of(game, [draft.entry(n, 0) for n, draft in enumerate(begin(game))])
    cards = [f"{colour}{value}" for colour in "RYGBP" for value in range(1, 9)]
    told = 0
    while state.outcome is None and state.version < 90:
        for seat in range(3):
            view = state.position.seen_by(seat)
            imagined = game.imagine(view, rng).seen_by(seat)
            spots = [
                *_spots(view.scene()),
                *(f"{letter(who)}:{card}" for who in range(3) for card in rng.sample(cards, 5)),
            ]
            for _ in range(15):
                pointed = tuple(rng.sample(spots, rng.randint(1, 3)))
                answer = view.why_not(pointed, seat)
                # Whatever the others hold, the answer is the same.
                assert str(answer) == str(imagined.why_not(pointed, seat))
                named = set(CARD.findall(str(answer)))
                assert named <= set(CARD.findall(" ".join(pointed))) | set(state.position.hand(seat))  # type: ignore[attr-defined]
                told += bool(named)
        seat = rng.choice(state.asked)
        move = rng.choice(state.position.moves(seat))
        step = state.position.step(move, seat)
        drafts = [Draft.of(step)]
        settle_by_odds(step.after, drafts)
        for draft in drafts:
            state.add(draft.entry(state.version, 0), draft.step)
    assert told, "some answers name cards"


def _spots(scene: Scene) -> list[str]:
    return sorted(scene.spots())

"""Takebacks, draws, rematches, hints, resigning and chat: what people agree on at a table, as entries of its log."""

from __future__ import annotations

from typing import Literal

from cupboard.core.errors import GameOver
from cupboard.core.game import Seat
from cupboard.core.words import phrase
from cupboard.server.errors import NoChat, NoDraw, NoOffer, NoTakeback, NotOver, NotStarted
from cupboard.server.table.client import Client
from cupboard.server.table.flags import call_flags, give_up
from cupboard.server.table.plan import Draft, lay_again
from cupboard.server.table.room import Room
from cupboard.server.table.storage import write_plan
from cupboard.server.wire.client_messages import Offer, Phrase


async def chat(room: Room, client: Client, seat: Seat | None, text: str) -> None:
    """Add a line of chat, as it was typed but for control characters."""
    async with room.lock:
        seat = room.whose(client, seat)
        words = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        if words:
            await room.append([Draft("chat", seat, words)], by=client)


async def say_phrase(room: Room, client: Client, seat: Seat | None, said: Phrase) -> None:
    """Add a phrase to the log, as its key: who reads it reads it in their own language."""
    async with room.lock:
        await room.append([Draft("phrase", room.whose(client, seat), said)], by=client)


def check_chat(room: Room, wanted: Literal["free", "phrases"]) -> None:
    """NoChat where the settings of the server do not let people say that."""
    if room.settings.chat == "off":
        raise NoChat(phrase("no.chat"))
    if room.settings.chat == "phrases" and wanted == "free":
        raise NoChat(phrase("no.freeChat"))


async def offer(room: Room, client: Client, seat: Seat | None, what: Offer) -> None:
    """Offer something to the others. Other seats of the same client agree at once, and so do bots, except to a draw."""
    async with room.lock:
        await call_flags(room)
        seat = room.whose(client, seat) if what != "takeback" else _who_moved(room, client, seat)
        _check(room, seat, what)
        drafts = [Draft("offer", seat, what)]
        others = room.state.people() - {seat}
        if what == "draw" and room.state.bots:
            drafts.append(Draft("decline", min(room.state.bots), what))
        else:
            asked = others - client.seats
            drafts += [Draft("agree", other, what) for other in sorted(others & client.seats)]
            if not asked:
                await _take_effect(room, client, seat, what, drafts)
                return
        await room.append(drafts, by=client)


async def answer(room: Room, client: Client, seat: Seat | None, what: Offer, yes: bool) -> None:
    """Accept or decline an offer, which takes effect when the last seat has accepted."""
    async with room.lock:
        await call_flags(room)
        standing = room.state.offers.get(what)
        if standing is None:
            raise NoOffer(phrase("no.offer"))
        if seat is None:
            held = sorted(standing.waits & client.seats)
            seat = held[0] if held else room.whose(client, None)
        seat = room.whose(client, seat)
        if seat not in standing.waits:
            raise NoOffer(phrase("no.answer"))
        if not yes:
            await room.append([Draft("decline", seat, what)], by=client)
            return
        drafts = [Draft("agree", seat, what)]
        if standing.waits == {seat}:
            await _take_effect(room, client, standing.seat, what, drafts)
        else:
            await room.append(drafts, by=client)


async def resign(room: Room, client: Client, seat: Seat | None) -> None:
    """Resign the game for a seat."""
    async with room.lock:
        await call_flags(room)
        seat = room.whose(client, seat)
        if room.state.outcome is not None:
            raise GameOver(phrase("turn.over"))
        if not room.state.started:
            raise NotStarted(phrase("no.begun"))
        await give_up(room, seat, "resigned", client)


def _who_moved(room: Room, client: Client, seat: Seat | None) -> Seat:
    """The seat whose move is to be taken back: of several on one screen, the one that moved last."""
    if seat is None and room.state.last is not None and room.state.last[0] in client.seats:
        return room.state.last[0]
    return room.whose(client, seat)


def _check(room: Room, seat: Seat, what: Offer) -> None:
    state = room.state
    if what == "rematch":
        if state.outcome is None:
            raise NotOver(phrase("no.rematchYet"))
        if state.rematch:
            raise GameOver(phrase("no.rematchAgain"))
        return
    if state.outcome is not None:
        raise GameOver(phrase("turn.over"))
    if not state.started:
        raise NotStarted(phrase("no.begun"))
    if what == "takeback" and state.takeback_target(seat) is None:
        raise NoTakeback(phrase("no.takeback"))
    if what == "hints" and (state.hints or not room.is_company):
        raise NoOffer(phrase("no.hintsAlready"))
    if what == "draw" and (state.game.seats < 2 or not state.game.can_be_drawn):
        raise NoDraw(phrase("no.draw", game=state.game.title))


async def _take_effect(room: Room, client: Client, seat: Seat, what: Offer, drafts: list[Draft]) -> None:
    if what == "takeback":
        target = room.state.takeback_target(seat)
        if target is None:
            raise NoTakeback(phrase("no.takebackLeft"))
        await room.append([*drafts, Draft("takeback", seat, str(target))], by=client)
    elif what == "draw":
        await room.append([*drafts, Draft("end", None, "agreed")], by=client)
    elif what == "hints":
        await room.append(drafts, by=client)
    else:
        plan, opening = lay_again(room.plan, room.plan.chairs)
        await room.append(
            [*drafts, Draft("rematch", None, plan.id)], also=lambda conn: write_plan(conn, plan, opening), by=client
        )

"""What a client says through the WebSocket of a table."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from cupboard.server.wire.base import MessageId, Notation, Plain, SeatNumber, Token, Version

Offer = Literal["takeback", "draw", "rematch", "hints"]
Phrase = Literal["hello", "luck", "wow", "oops", "close", "moment", "thanks", "well", "again", "bye"]
"""What can be said where people may choose among phrases only; each is the end of a word's key, `phrase.hello`."""


class Hello(Plain, frozen=True, tag_field="type", tag="hello"):
    """The first message: which seats this client holds beyond its cookie's, and which events it already has."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=6)] = ()
    version: Version = 0
    """How many events the client has; only later ones are sent."""
    watch: bool = False
    """True: hold no seat, whatever the cookie says. For the big screen."""


class Make(Plain, frozen=True, tag_field="type", tag="move"):
    """A move in notation. `version` is what the client has seen; when that is too old, nothing happens."""

    text: Notation
    version: Version
    seat: SeatNumber | None = None
    """Whose move it is; needed only when this client holds several seats that may act."""
    id: MessageId | None = None
    """Comes back in `Update.ack` or `Refused.id`."""


class Chat(Plain, frozen=True, tag_field="type", tag="chat"):
    """Something to say to all at the table."""

    text: Annotated[str, Meta(min_length=1, max_length=500)]
    seat: SeatNumber | None = None
    id: MessageId | None = None


class SayPhrase(Plain, frozen=True, tag_field="type", tag="phrase"):
    """One of the phrases, said to all at the table: everybody reads it in their own language."""

    phrase: Phrase
    seat: SeatNumber | None = None
    id: MessageId | None = None


class Propose(Plain, frozen=True, tag_field="type", tag="offer"):
    """Ask the others for a takeback, a draw, a rematch, or that hints be allowed. Bots consent to all but a draw."""

    what: Offer
    seat: SeatNumber | None = None
    id: MessageId | None = None


class Answer(Plain, frozen=True, tag_field="type", tag="answer"):
    """Say yes or no to an offer."""

    what: Offer
    yes: bool
    seat: SeatNumber | None = None
    id: MessageId | None = None


class Resign(Plain, frozen=True, tag_field="type", tag="resign"):
    """Give up. With more than two seats a bot plays on for the others' sake."""

    seat: SeatNumber | None = None
    id: MessageId | None = None


class AskHint(Plain, frozen=True, tag_field="type", tag="hint"):
    """Ask what a bot would do here."""

    seat: SeatNumber | None = None
    id: MessageId | None = None


class Why(Plain, frozen=True, tag_field="type", tag="why"):
    """Ask why no move points at these spots. The answer is a `Refused`; nothing is ever played."""

    spots: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(min_length=1, max_length=40)]
    seat: SeatNumber | None = None
    id: MessageId | None = None


class SwitchSeat(Plain, frozen=True, tag_field="type", tag="look"):
    """Show the table from another of this client's seats: for several people at one screen."""

    seat: SeatNumber


class Ping(Plain, frozen=True, tag_field="type", tag="ping"):
    """Ask for a `Pong`, to see whether the server is there."""

    id: MessageId | None = None


ClientMessage = Hello | Make | Chat | SayPhrase | Propose | Answer | Resign | AskHint | Why | SwitchSeat | Ping

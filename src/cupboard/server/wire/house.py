"""The rules of the house over HTTP: what people may do on this server, by its settings."""

from __future__ import annotations

from typing import Literal

from cupboard.server.wire.base import Plain
from cupboard.server.wire.client_messages import Phrase


class HouseInfo(Plain, frozen=True):
    """The answer to GET /api/house: what whoever runs the server has decided."""

    chat: Literal["free", "phrases", "off"] = "free"
    """Whether people at a table may write what they like, choose among phrases, or say nothing."""
    phrases: tuple[Phrase, ...] = ()
    """What can be said as a phrase; the words of each are `phrase.` and its name."""
    sign_up: Literal["open", "closed", "code"] = "open"
    """Whether anybody may make an account, nobody, or whoever knows the class code."""
    names: Literal["free", "list", "checked"] = "free"
    """Whether people choose their names freely, from a list, or freely but for words that are not wanted."""
    name_list: tuple[str, ...] = ()
    """The names to choose from, if they come from a list."""

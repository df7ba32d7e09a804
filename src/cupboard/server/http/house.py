"""The rules of the house over HTTP: what the page must know of the server's settings."""

from __future__ import annotations

from typing import get_args

from litestar import get

from cupboard.server.http.services import WithServices
from cupboard.server.wire.client_messages import Phrase
from cupboard.server.wire.house import HouseInfo


@get("/api/house", sync_to_thread=False, summary="What people may do here")
def show_house(services: WithServices) -> HouseInfo:
    """What may be said at the tables, who may make an account, and which names there are to choose from."""
    names = services.people.names
    return HouseInfo(services.settings.chat, get_args(Phrase), services.sign_up.mode, names.mode, names.choices)


HANDLERS = [show_house]

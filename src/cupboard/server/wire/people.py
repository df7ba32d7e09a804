"""People over HTTP: what a client is called, and how it signs in."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from cupboard.core.words import Words
from cupboard.server.wire.base import Name, Password, Plain, ShortText


class Me(Plain, frozen=True):
    """The person whom a client's cookie names: a guest until they have a username."""

    name: str
    username: str = ""
    words: Words | None = None
    """What to call them when they have not said a name."""


class Rename(Plain, frozen=True):
    """The body of PUT /api/me: what the client wants to be called."""

    name: Name


class Login(Plain, frozen=True):
    """The body of POST /api/session, to sign in."""

    username: Annotated[str, Meta(min_length=2, max_length=30, pattern=r"^[A-Za-z0-9_.-]+(?!\n)$")]
    password: Password


class SignUp(Login, frozen=True):
    """The body of POST /api/account, which makes an account of this guest."""

    code: ShortText = ""
    """The class code, on a server that asks for one."""


class NewPassword(Plain, frozen=True):
    """The body of PUT /api/account/password: the present password and the one to replace it."""

    old: Password
    new: Password

"""Connections to PostgreSQL, set up for what Cupboard promises: what is acknowledged is on the disk, and nobody waits
for ever."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import Any

import psycopg
from psycopg.adapt import Dumper
from psycopg.conninfo import conninfo_to_dict, make_conninfo

NAME = "cupboard"
"""What the connections of servers are called, where PostgreSQL lists them."""
SECONDS_TO_CONNECT = 5
SECONDS_TO_ANSWER = 10
"""After so long a statement is given up, by PostgreSQL and, where that does not answer, by us."""
_SECONDS_IDLE = 5
"""A server that stopped in the middle of a transaction keeps its locks for so long."""
_KEPT_ALIVE = {"keepalives": 1, "keepalives_idle": 5, "keepalives_interval": 2, "keepalives_count": 3}
_ON_DISK = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply')
"""
_PATIENT = """
SELECT set_config('statement_timeout', '%d', false), set_config('idle_in_transaction_session_timeout', '%d', false)
"""


class TextDumper(Dumper):
    """Writes text as PostgreSQL can keep it: without NUL and halves of pairs of UTF-16, which it refuses."""

    def dump(self, obj: str) -> bytes:
        """The text in UTF-8."""
        return obj.encode("utf-8", "replace").replace(b"\0", b"\xef\xbf\xbd")


def connection_options(url: str, name: str = NAME) -> str:
    """The address with what it does not say itself: how long to wait for what, and what the connection is called."""
    said: dict[str, Any] = {
        "connect_timeout": SECONDS_TO_CONNECT,
        "tcp_user_timeout": SECONDS_TO_ANSWER * 1000,
        **_KEPT_ALIVE,
        **conninfo_to_dict(url),
        "application_name": name,
        "client_encoding": "utf8",
    }
    return make_conninfo("", **said)


def settings_of(is_patient: bool) -> list[str]:
    """The statements that set a new connection up. A patient one copies or upgrades, and may take its time."""
    return [_ON_DISK] if is_patient else [_ON_DISK, _PATIENT % (SECONDS_TO_ANSWER * 1000, _SECONDS_IDLE * 1000)]


def connect(url: str, *, is_patient: bool = False, name: str = NAME) -> psycopg.Connection:
    """A new connection, set up."""
    conn = psycopg.connect(connection_options(url, name))
    try:
        conn.adapters.register_dumper(str, TextDumper)
        conn.set_autocommit(True)
        for line in settings_of(is_patient):
            conn.execute(line)
        conn.set_autocommit(False)
    except BaseException:
        conn.close()
        raise
    return conn


async def connect_async(url: str) -> psycopg.AsyncConnection:
    """A new connection of the event loop, set up, in which every statement is a transaction."""
    conn = await psycopg.AsyncConnection.connect(connection_options(url), autocommit=True)
    try:
        conn.adapters.register_dumper(str, TextDumper)
        for line in settings_of(is_patient=False):
            await conn.execute(line)
    except BaseException:
        await conn.close()
        raise
    return conn


def cut(conn: psycopg.BaseConnection[Any]) -> None:
    """Have whoever waits for an answer of the connection wait no longer: it ends as if PostgreSQL had ended it."""
    with suppress(OSError, psycopg.Error):
        line = socket.socket(fileno=os.dup(conn.fileno()))
        with line:
            line.shutdown(socket.SHUT_RDWR)

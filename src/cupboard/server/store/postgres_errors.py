"""What PostgreSQL, its driver and SQLAlchemy raise, as CupboardErrors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError

from cupboard.core.errors import CupboardError
from cupboard.core.words import phrase
from cupboard.server.errors import Busy, DamagedDatabase, NoRoom

_NO_ROOM = {"53100", "58030"}
"""The disk is full, or cannot be read and written."""
_DAMAGED = {"XX001", "XX002", "42P01", "42703"}
"""Pages or indexes make no sense; a table or a column is gone."""
_BUSY = ("08", "25", "28", "3D", "40", "42501", "53", "55", "57", "58", "XX")
"""Connections, read-only transactions, rights, a database that is gone, collisions, too little of something, locks,
whoever runs PostgreSQL, its system, and errors inside it: they pass, or somebody must see to it."""


def sentence_of(error: BaseException | None) -> CupboardError | None:
    """The CupboardError for an error that says something of the database; None for an error of the program."""
    if isinstance(error, DBAPIError):
        return sentence_of(error.orig) or (Busy(phrase("no.database")) if error.connection_invalidated else None)
    if isinstance(error, sa.exc.TimeoutError | TimeoutError | OSError):
        return Busy(phrase("no.database"))  # all connections are in use, or there can be none
    if not isinstance(error, psycopg.Error):
        return None
    state = error.sqlstate
    if state in _NO_ROOM:
        return NoRoom(phrase("no.disk"))
    if state in _DAMAGED:
        return DamagedDatabase(phrase("no.sound"))
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) or (state or "").startswith(_BUSY):
        return Busy(phrase("no.database"))
    return None


def is_integrity(error: BaseException) -> bool:
    """Whether a row is there already, or refers to one that is not there."""
    return isinstance(error, IntegrityError | psycopg.IntegrityError)


@contextmanager
def speaking() -> Iterator[None]:
    """Turns PostgreSQL's errors about disk, connections, rights and damage into CupboardErrors."""
    try:
        yield
    except IntegrityError:
        raise
    except (sa.exc.SQLAlchemyError, psycopg.Error, OSError) as error:
        raise sentence_of(error) or error from error

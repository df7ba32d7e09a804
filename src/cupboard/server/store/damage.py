"""Damaged rows, whether by a disk, by hand or by a program that went wrong, cost one table and not all."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from cupboard.core.words import phrase
from cupboard.server.errors import Busy, DamagedTable, NoRoom, UnknownTable
from cupboard.server.watching.notes import Note
from cupboard.server.watching.private import summary_of

_LOG = logging.getLogger(__name__)
_known: set[str] = set()


@contextmanager
def reading(table: str) -> Iterator[None]:
    """Turns any error while the rows of a table are read into DamagedTable, and logs it once."""
    try:
        yield
    except (UnknownTable, Busy, NoRoom, DamagedTable):
        raise
    except Exception as error:
        report(table, error)
        raise DamagedTable(phrase("no.damaged")) from error


def report(table: str, error: Exception) -> None:
    """Log which table is damaged, and how, once for each table."""
    if table not in _known:
        _known.add(table)
        _LOG.error(Note("table-damaged", table=table, why=summary_of(error)))

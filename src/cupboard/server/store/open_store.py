"""Opens the store that the settings ask for: today a file of SQLite."""

from __future__ import annotations

from cupboard.server.settings import ServerSettings
from cupboard.server.store.sqlite import SqliteStore
from cupboard.server.store.store import Store


def open_store(settings: ServerSettings) -> Store:
    """The store, made or brought up to date if need be; a CupboardError says why it cannot be opened."""
    return SqliteStore(settings.database, settings.durable)

"""Opens the store that the settings ask for: a file of SQLite, or a database of PostgreSQL."""

from __future__ import annotations

from cupboard.server.postgres_address import shown
from cupboard.server.settings import ServerSettings
from cupboard.server.store.sqlite import SqliteStore
from cupboard.server.store.store import Store


def open_store(settings: ServerSettings) -> Store:
    """The store, made or brought up to date if need be; a CupboardError says why it cannot be opened."""
    if settings.database:
        from cupboard.server.store.postgres import PostgresStore

        return PostgresStore(settings.database)
    return SqliteStore(settings.database_file, settings.durable)


def database_shown(settings: ServerSettings) -> str:
    """The database as a log may show it, without a password."""
    if settings.database:
        return shown(settings.database)
    return str(settings.database_file)

"""When the clocks of a table must be looked at, so that flags fall at tables that nobody has opened."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Games that run by the clock are looked at as soon as the server starts."""
    op.add_column("game", sa.Column("due", sa.BigInteger))
    there = sa.text("due IS NOT NULL")
    op.create_index("game_due", "game", ["due"], sqlite_where=there, postgresql_where=there)
    op.execute("UPDATE game SET due = 0 WHERE clock IS NOT NULL AND status = 'playing'")

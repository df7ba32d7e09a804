"""Several servers on one database: which of them run, which of them works for a table, and what they limit together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables. What they hold is worth nothing after a crash, so PostgreSQL need not log the rates."""
    op.create_table(
        "server",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "lease",
        sa.Column("game", sa.Text, sa.ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("server", sa.Text, sa.ForeignKey("server.id", ondelete="CASCADE"), nullable=False),
    )
    op.create_index("lease_server", "lease", ["server"])
    op.create_table(
        "rate",
        sa.Column("what", sa.Text, primary_key=True),
        sa.Column("place", sa.Text, primary_key=True),
        sa.Column("full", sa.BigInteger, nullable=False),
        prefixes=["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else [],
    )
    op.create_index("rate_full", "rate", ["full"])

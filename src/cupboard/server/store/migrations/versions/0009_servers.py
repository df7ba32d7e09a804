"""Several servers on one database: which of them run, and which of them works for a table."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables."""
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

"""Results: how a person's games against bots ended, and who was given a hint."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table. Games from before are left out: nobody knows in which of them hints were given."""
    op.add_column("seat", sa.Column("helped", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "result",
        sa.Column("game", sa.Text, sa.ForeignKey("game.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("person", sa.Text, sa.ForeignKey("person.id"), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("against", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("share", sa.Float, nullable=False),
        sa.Column("left_out", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_index("result_person", "result", ["person", "name", "at"])

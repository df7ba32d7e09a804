"""Classes: who teaches them, who belongs to them, and who was paired with whom."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the four tables."""
    op.create_table(
        "class",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("teacher", sa.Text, sa.ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
        sa.Column("code", sa.Text, nullable=False, unique=True),
        sa.Column("tournament", sa.Integer, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_index("class_teacher", "class", ["teacher"])
    op.create_table(
        "class_member",
        sa.Column("id", sa.Text, primary_key=True),
        sa.Column("class", sa.Text, sa.ForeignKey("class.id", ondelete="CASCADE"), nullable=False),
        sa.Column("person", sa.Text, sa.ForeignKey("person.id", ondelete="SET NULL")),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("joined", sa.BigInteger, nullable=False),
        sa.Column("gone", sa.BigInteger),
        sa.Column("back", sa.Text, unique=True),
        sa.Column("back_until", sa.BigInteger),
    )
    op.create_index("member_person", "class_member", ["person", "class"], unique=True)
    op.create_index("member_class", "class_member", ["class"])
    op.create_table(
        "class_round",
        sa.Column("class", sa.Text, sa.ForeignKey("class.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("tournament", sa.Integer, primary_key=True),
        sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("method", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "class_pairing",
        sa.Column("class", sa.Text, primary_key=True),
        sa.Column("tournament", sa.Integer, primary_key=True),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Text, sa.ForeignKey("class_member.id", ondelete="CASCADE"), nullable=False),
        sa.Column("second", sa.Text, sa.ForeignKey("class_member.id", ondelete="CASCADE")),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("game", sa.Text, sa.ForeignKey("game.id", ondelete="SET NULL")),
        sa.Column("score", sa.Text),
        sa.Column("by_hand", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("moves", sa.Integer, nullable=False, server_default="0"),
        sa.Column("ended", sa.BigInteger),
        sa.ForeignKeyConstraint(
            ["class", "tournament", "round"],
            ["class_round.class", "class_round.tournament", "class_round.n"],
            ondelete="CASCADE",
        ),
    )
    op.create_index("pairing_game", "class_pairing", ["game"])
    op.create_index("pairing_first", "class_pairing", ["first"])
    op.create_index("pairing_second", "class_pairing", ["second"])

"""Whoever keeps the house may show somebody the door."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the time since when a person may not come in."""
    op.add_column("person", sa.Column("banned", sa.BigInteger))

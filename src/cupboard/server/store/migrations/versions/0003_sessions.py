"""Sessions expire, and the mark of one that has ended tells the other servers."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
_DAY = 24 * 3600 * 1000


def upgrade() -> None:
    """Sessions from before last as long as if they had been used just now."""
    op.add_column("session", sa.Column("expires", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("session", sa.Column("ended", sa.BigInteger))
    marked = sa.text("ended IS NOT NULL")
    op.create_index("session_ended", "session", ["ended"], sqlite_where=marked, postgresql_where=marked)
    op.create_index("session_person", "session", ["person"])
    now = time.time_ns() // 1_000_000
    accounts = "SELECT id FROM person WHERE username IS NOT NULL"
    op.execute(f"UPDATE session SET expires = {now + 365 * _DAY}")
    op.execute(f"UPDATE session SET expires = {now + 90 * _DAY} WHERE person IN ({accounts})")

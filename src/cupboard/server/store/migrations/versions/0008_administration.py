"""For whoever keeps the house: the admin link, when sessions were last used, who was banned, and who left a seat."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
_DAY = 24 * 3600 * 1000


def upgrade() -> None:
    """Make the table and the columns. Sessions were prolonged when used: by 90 days with an account, else by 365."""
    op.create_table(
        "admin_link",
        sa.Column("digest", sa.Text, primary_key=True),
        sa.Column("made", sa.BigInteger, nullable=False),
    )
    op.add_column("session", sa.Column("used", sa.BigInteger, nullable=False, server_default="0"))
    later = "max" if op.get_bind().dialect.name == "sqlite" else "greatest"
    op.execute(
        f"UPDATE session SET used = {later}(made, expires - "
        f"CASE WHEN person IN (SELECT id FROM person WHERE username IS NULL) THEN {365 * _DAY} ELSE {90 * _DAY} END)"
    )
    op.add_column("seat", sa.Column("leaver", sa.Text))
    left, banned = sa.text("leaver IS NOT NULL"), sa.text("banned IS NOT NULL")
    op.create_index("seat_leaver", "seat", ["leaver"], sqlite_where=left, postgresql_where=left)
    op.create_index("person_banned", "person", ["banned"], sqlite_where=banned, postgresql_where=banned)
    op.create_index("game_maker", "game", ["maker"])

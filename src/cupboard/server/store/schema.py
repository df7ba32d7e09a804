"""The tables of the database. A game is its events; the rest says who sits where."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
)

METADATA = MetaData()
_MARKED = sa.text("ended IS NOT NULL")
_BANNED = sa.text("banned IS NOT NULL")
_LEFT = sa.text("leaver IS NOT NULL")

PERSON = Table(
    "person",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("username", Text, unique=True),  # lower case; NULL for a guest
    Column("password", Text),  # argon2
    Column("made", BigInteger, nullable=False),
    Column("banned", BigInteger),  # since when; NULL for who may come in
    Index("person_banned", "banned", sqlite_where=_BANNED, postgresql_where=_BANNED),
)
SESSION = Table(
    "session",
    METADATA,
    Column("digest", Text, primary_key=True),  # of the cookie, which only the browser has
    Column("person", Text, ForeignKey("person.id"), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("expires", BigInteger, nullable=False, server_default="0"),
    Column("ended", BigInteger),  # a mark for the other servers; the row is deleted soon after
    Column("used", BigInteger, nullable=False, server_default="0"),  # to the day
    Index("session_ended", "ended", sqlite_where=_MARKED, postgresql_where=_MARKED),
    Index("session_person", "person"),
)
GAME = Table(
    "game",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("root", Text, nullable=False),  # the first table of a row of rematches: seat tokens stay the same
    Column("name", Text, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("clock", Text),  # JSON
    Column("listed", Boolean, nullable=False),
    Column("maker", Text, ForeignKey("person.id"), nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("status", Text, nullable=False),  # changes with the `start` and the last event, in their transactions
    Column("outcome", Text),  # JSON
    Column("due", BigInteger),  # no clock of the game runs out before; NULL when none can
    Index("game_listed", "listed", "status", "made"),
    Index("game_maker", "maker"),
    Index("game_due", "due", sqlite_where=sa.text("due IS NOT NULL"), postgresql_where=sa.text("due IS NOT NULL")),
)
SEAT = Table(
    "seat",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("kind", Text, nullable=False),  # person, bot, free
    Column("person", Text, ForeignKey("person.id")),
    Column("name", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("invited", Boolean, nullable=False),
    Column("chair", Integer, nullable=False),  # the seat at the root table; rematches turn the table
    Column("helped", Boolean, nullable=False, server_default=sa.false()),  # a hint was given: see `result`
    Column("leaver", Text),  # who sat here before a bot took over
    Index("seat_person", "person"),
    Index("seat_leaver", "leaver", sqlite_where=_LEFT, postgresql_where=_LEFT),
)
# The primary key decides between two servers that append at the same moment.
EVENT = Table(
    "event",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("kind", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    sqlite_with_rowid=False,
)
# How nature's move n came about, for screens that show it; nothing follows from it.
MOTION = Table(
    "motion",
    METADATA,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("data", LargeBinary, nullable=False),  # at most 64 kB, packed with zlib: docs/motion.md
)
# How a person's game against bots ended, for their strength; written in the transaction that ends the game.
RESULT = Table(
    "result",
    METADATA,
    Column("game", Text, ForeignKey("game.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("person", Text, ForeignKey("person.id"), nullable=False),
    Column("name", Text, nullable=False),  # of the game
    Column("seats", Integer, nullable=False),
    Column("against", Text, nullable=False),  # JSON: the levels of the bots
    Column("level", Text, nullable=False),  # of all bots; empty when they differ
    Column("share", Float, nullable=False),  # of the point
    Column("left_out", Text, nullable=False),  # why it does not count for the strength; empty when it does
    Column("at", BigInteger, nullable=False),
    Index("result_person", "person", "name", "at"),
)
# A class and its pupils. Games outlive it; what is deleted elsewhere leaves the results behind.
CLASS = Table(
    "class",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("teacher", Text, ForeignKey("person.id", ondelete="CASCADE"), nullable=False),
    Column("code", Text, nullable=False, unique=True),  # which lets pupils in
    Column("tournament", Integer, nullable=False),  # the present one, counted from 1
    Column("made", BigInteger, nullable=False),
    Index("class_teacher", "teacher"),
)
MEMBER = Table(
    "class_member",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("class", Text, ForeignKey("class.id", ondelete="CASCADE"), nullable=False),
    Column("person", Text, ForeignKey("person.id", ondelete="SET NULL")),  # NULL when the person was deleted
    Column("name", Text, nullable=False),
    Column("joined", BigInteger, nullable=False),
    Column("gone", BigInteger),  # since when; NULL for a member
    Column("back", Text, unique=True),  # the digest of a code by which a guest comes back
    Column("back_until", BigInteger),
    Index("member_person", "person", "class", unique=True),
    Index("member_class", "class"),
)
ROUND = Table(
    "class_round",
    METADATA,
    Column("class", Text, ForeignKey("class.id", ondelete="CASCADE"), primary_key=True),
    Column("tournament", Integer, primary_key=True),
    Column("n", Integer, primary_key=True, autoincrement=False),
    Column("method", Text, nullable=False),
    Column("name", Text, nullable=False),  # of the game
    Column("made", BigInteger, nullable=False),
)
PAIRING = Table(
    "class_pairing",
    METADATA,
    Column("class", Text, primary_key=True),
    Column("tournament", Integer, primary_key=True),
    Column("round", Integer, primary_key=True),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("first", Text, ForeignKey("class_member.id", ondelete="CASCADE"), nullable=False),
    Column("second", Text, ForeignKey("class_member.id", ondelete="CASCADE")),  # NULL for a bot or nobody
    Column("level", Text, nullable=False),  # of the bot
    Column("game", Text, ForeignKey("game.id", ondelete="SET NULL")),
    Column("score", Text),  # first, draw, second, bye, pause; NULL while nobody knows
    Column("by_hand", Boolean, nullable=False, server_default=sa.false()),
    Column("moves", Integer, nullable=False, server_default="0"),  # counted when the score is noted
    Column("ended", BigInteger),
    ForeignKeyConstraint(
        ["class", "tournament", "round"],
        ["class_round.class", "class_round.tournament", "class_round.n"],
        ondelete="CASCADE",
    ),
    Index("pairing_game", "game"),
    Index("pairing_first", "first"),
    Index("pairing_second", "second"),
)
# The digest of the admin link's token, of which there is one at most.
ADMIN_LINK = Table(
    "admin_link",
    METADATA,
    Column("digest", Text, primary_key=True),
    Column("made", BigInteger, nullable=False),
)
SECRET = Table("secret", METADATA, Column("key", Text, primary_key=True))
# The servers and workers that run on a database of PostgreSQL. Whoever is not heard of any more is deleted.
SERVER = Table(
    "server",
    METADATA,
    Column("id", Text, primary_key=True),  # another one at every start
    Column("kind", Text, nullable=False),  # server, worker
    Column("machine", Text, nullable=False),
    Column("made", BigInteger, nullable=False),
    Column("seen", BigInteger, nullable=False),  # by the clock of the database
)
# Which server moves for bots and nature at a table, and watches its clocks.
LEASE = Table(
    "lease",
    METADATA,
    Column("game", Text, ForeignKey("game.id", ondelete="CASCADE"), primary_key=True),
    Column("server", Text, ForeignKey("server.id", ondelete="CASCADE"), nullable=False),
    Index("lease_server", "server"),
)
OF_SERVERS = frozenset({"server", "lease"})
"""The tables that say nothing about games and people, only about the servers that run: nobody copies them."""

# There only while a copy is made (`cupboard db copy`): what of each table is copied. Nobody serves such a database.
COPYING = Table(
    "cupboard_copying",
    MetaData(),
    Column("name", Text, primary_key=True),  # of the table
    Column("last", Text, nullable=False),  # JSON: the key of the last row that is copied
    Column("rows", BigInteger, nullable=False),
    Column("digest", Text, nullable=False),  # of these rows
)

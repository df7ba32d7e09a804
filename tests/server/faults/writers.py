"""Who wrote what in PostgreSQL: triggers note the server of each entry, and who held the table's lease when.

Each server signs in with a name of its own. An append holds a lock on the lease, so that the times of both
are in the order of the commits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import psycopg
from psycopg import sql

_WATCH = """
CREATE TABLE written (game text, n int, kind text, seat int, by text, at timestamptz);
CREATE TABLE leased (game text, server text, by text, at timestamptz);
CREATE TABLE started (server text, by text);
CREATE FUNCTION note_written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO written
    VALUES (NEW.game, NEW.n, NEW.kind, NEW.seat, session_user, clock_timestamp());
  RETURN NEW;
END $$;
CREATE FUNCTION note_leased() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' THEN
    INSERT INTO leased VALUES (OLD.game, NULL, session_user, clock_timestamp());
    RETURN OLD;
  END IF;
  INSERT INTO leased VALUES (NEW.game, NEW.server, session_user, clock_timestamp());
  RETURN NEW;
END $$;
CREATE FUNCTION note_started() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO started VALUES (NEW.id, session_user);
  RETURN NEW;
END $$;
CREATE TRIGGER note_written AFTER INSERT ON event FOR EACH ROW EXECUTE FUNCTION note_written();
CREATE TRIGGER note_leased AFTER INSERT OR UPDATE OR DELETE ON lease FOR EACH ROW EXECUTE FUNCTION note_leased();
CREATE TRIGGER note_started AFTER INSERT ON server FOR EACH ROW EXECUTE FUNCTION note_started();
"""
_UNLEASED = """
WITH held AS (
  SELECT w.game, w.n, w.seat, w.by, w.at, (
    SELECT l.server FROM leased l WHERE l.game = w.game AND l.at < w.at ORDER BY l.at DESC LIMIT 1
  ) AS server
  FROM written w
  WHERE w.kind = 'move' AND (
    EXISTS (SELECT FROM seat s WHERE s.game = w.game AND s.seat = w.seat AND s.kind = 'bot')
    OR EXISTS (SELECT FROM motion m WHERE m.game = w.game AND m.n = w.n)
  )
)
SELECT h.game, h.n, h.by, coalesce(s.by, 'nobody') FROM held h LEFT JOIN started s ON s.server = h.server
WHERE h.by IS DISTINCT FROM s.by
"""


def watch(url: str, servers: Sequence[str]) -> None:
    """Have the database note from now on who writes entries, who starts and who takes leases."""
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(_WATCH)
        for server in servers:
            conn.execute(sql.SQL("CREATE ROLE {} LOGIN SUPERUSER").format(sql.Identifier(server)))


def leases(url: str) -> int:
    """How often a lease was taken."""
    with psycopg.connect(url) as conn:
        row = conn.execute("SELECT count(*) FROM leased WHERE server IS NOT NULL").fetchone()
        return int(row[0]) if row else 0


def without_a_lease(url: str) -> Iterator[str]:
    """Sentences about moves of bots and simulated ones that were written by a server without the table's lease."""
    with psycopg.connect(url) as conn:
        for game, n, by, holder in conn.execute(_UNLEASED):
            yield f"{game}: entry {n}, a bot's or nature's, was written by {by}, while {holder} held the lease"

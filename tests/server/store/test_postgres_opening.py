"""Opening PostgreSQL: what cannot be used is refused with a sentence, which never has the password in it."""

from __future__ import annotations

import logging
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from alembic import command
from tests.server.postgres import Postgres
from tests.server.program import PROGRAM

from cupboard.core.errors import CupboardError
from cupboard.server.errors import BadSettings, Busy, DamagedDatabase, NewerDatabase
from cupboard.server.postgres_address import shown
from cupboard.server.settings_file import read_settings
from cupboard.server.store.postgres_database import bring_postgres_up_to_date, make_engine
from cupboard.server.store.revisions import alembic_config, newest_revision

PASSWORD = "open-sesame"


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_database()


def run_sql(url: str, *lines: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        for line in lines:
            conn.execute(line)


def refusal(url: str) -> CupboardError:
    """The error with which opening the database ends."""
    with pytest.raises(CupboardError) as caught:
        bring_postgres_up_to_date(url)
    assert str(caught.value).endswith(".")
    assert PASSWORD not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("cupboard", "no address"),
        (f"mysql://me:{PASSWORD}@db/cupboard", "mysql://"),
        (f"postgresql+asyncpg://me:{PASSWORD}@db/cupboard", "postgresql+asyncpg://"),
        (f"sqlite:///{PASSWORD}", "sqlite://"),
        (f"postgresql://me:%{PASSWORD}@db/cupboard", "%25"),
        (f"postgresql://me:{PASSWORD}@db:{PASSWORD}x/cupboard?{PASSWORD}", "cannot read"),
    ],
)
def test_what_is_no_address_is_refused_while_settings_are_read(tmp_path: Path, address: str, said: str) -> None:
    with pytest.raises(BadSettings, match=r"^database: ") as caught:
        read_settings(data=tmp_path, database=address)
    assert said in str(caught.value)
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (
            f"postgresql://me:{PASSWORD}@db.example/cupboard?sslpassword={PASSWORD}",
            "postgresql://me@db.example/cupboard",
        ),
        ("postgres://me@a:1,b:2/x", "postgresql://me@a:1,b:2/x"),
        ("postgresql:///x?host=/run/pg&port=5433", "postgresql://%2Frun%2Fpg:5433/x"),
    ],
)
def test_an_address_is_shown_without_its_password(address: str, said: str) -> None:
    assert shown(address) == said


def test_an_unreachable_database_is_refused() -> None:
    error = refusal(f"postgresql://me:{PASSWORD}@127.0.0.1:1/cupboard")
    assert isinstance(error, Busy)
    assert str(error).startswith("postgresql://me@127.0.0.1:1/cupboard cannot be opened: ")
    assert "refused" in str(error)


def test_a_database_that_is_not_there_is_refused(postgres: Postgres) -> None:
    assert "there is no database of this name" in str(refusal(postgres.url("never_made")))


@contextmanager
def asking_for_passwords(postgres: Postgres) -> Iterator[None]:
    """Within this, the user `locked` must know the password."""
    rules = Path(postgres.server.pgdata) / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text(f"local all locked scram-sha-256\n{before}")
    run_sql(postgres.url(), f"CREATE ROLE locked LOGIN PASSWORD '{PASSWORD}'", "SELECT pg_reload_conf()")
    try:
        yield
    finally:
        rules.write_text(before)
        run_sql(postgres.url(), "SELECT pg_reload_conf()", "DROP ROLE locked")


def test_a_wrong_password_and_missing_rights_are_refused(postgres: Postgres, url: str) -> None:
    with asking_for_passwords(postgres):
        name = psycopg.conninfo.conninfo_to_dict(url)
        place = f"{name['dbname']}?host={name['host']}"
        assert "the user or the password is wrong" in str(refusal(f"postgresql://locked:wrong@/{place}"))
        assert "this user may not make tables" in str(refusal(f"postgresql://locked:{PASSWORD}@/{place}"))


def test_a_database_that_can_only_be_read_is_refused(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as conn:
        conn.execute(f"ALTER DATABASE {conn.info.dbname} SET default_transaction_read_only = on")
    assert "can only be read: default_transaction_read_only is on" in str(refusal(url))


def test_a_database_in_another_encoding_is_refused(postgres: Postgres) -> None:
    run_sql(postgres.url(), "CREATE DATABASE latin ENCODING LATIN1 TEMPLATE template0 LOCALE 'C'")
    assert "encoded in LATIN1" in str(refusal(postgres.url("latin")))


def test_another_programs_database_is_refused_and_left_as_it_is(url: str) -> None:
    run_sql(url, "CREATE TABLE invoice (n int)")
    assert "not a Cupboard database: it has the tables invoice" in str(refusal(url))
    run_sql(url, "CREATE TABLE alembic_version (version_num text)", "INSERT INTO alembic_version VALUES ('0003')")
    assert "another program's" in str(refusal(url))
    with psycopg.connect(url) as conn:
        names = {row[0] for row in conn.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")}
    assert names == {"invoice", "alembic_version"}


def test_a_newer_database_is_refused(url: str) -> None:
    bring_postgres_up_to_date(url)
    run_sql(url, "UPDATE alembic_version SET version_num = '9999'")
    assert isinstance(refusal(url), NewerDatabase)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("DROP TABLE motion", "the table motion is missing"),
        ("ALTER TABLE seat DROP COLUMN chair", "the table seat lacks chair"),
        ("DELETE FROM secret", "the secret of the seat tokens is lost"),
        ("INSERT INTO secret VALUES ('00')", "the secret of the seat tokens is lost"),
    ],
)
def test_a_damaged_database_is_refused(url: str, line: str, said: str) -> None:
    bring_postgres_up_to_date(url)
    run_sql(url, line)
    error = refusal(url)
    assert isinstance(error, DamagedDatabase)
    assert said in str(error)


def test_an_older_database_is_brought_up_to_date_and_the_log_says_so(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    engine = make_engine(url)
    with engine.begin() as conn:
        config = alembic_config()
        config.attributes["connection"] = conn
        command.upgrade(config, "0005")
    engine.dispose()
    with caplog.at_level(logging.INFO, "cupboard"):
        secret = bring_postgres_up_to_date(url)
    assert "without a copy of what it was before" in caplog.text
    with psycopg.connect(url) as conn:
        row = conn.execute("SELECT version_num, key FROM alembic_version, secret").fetchone()
    assert row == (newest_revision(), secret.hex())


def test_servers_that_start_together_make_one_database(url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(bring_postgres_up_to_date, [url] * 4))) == 1


@pytest.mark.parametrize(
    "words", [("serve",), ("backup", "copy.db"), ("check",), ("admin", "people")], ids=lambda words: words[0]
)
def test_the_shell_is_told_in_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    options = ["--database", f"postgresql://me:{PASSWORD}@127.0.0.1:1/x", "--data", str(tmp_path)]
    done = subprocess.run([*PROGRAM, *words, *options], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith("postgresql://me@127.0.0.1:1/x cannot be opened: ")
    assert PASSWORD not in done.stdout + done.stderr
    assert list(tmp_path.glob("*.db")) == []

"""Two servers on one database, shared by the tests of a module that do not stop them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.server.cluster.several import Several
from tests.server.postgres import Postgres


@pytest.fixture(scope="module")
def two(postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Several]:
    with Several(postgres.new_database(), tmp_path_factory.mktemp("servers"), 2) as servers:
        yield servers

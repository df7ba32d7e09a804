"""The command line: one file per verb, and a few that the verbs share."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command `cupboard`. Whatever happens, people see a sentence and never a traceback."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot show ● still shows the letter beside it.
            stream.reconfigure(errors="replace")
    _keep_bytecode()
    try:
        from cupboard.cli.app import app

        app(prog_name="cupboard")
    except KeyboardInterrupt:
        sys.exit(130)


def _keep_bytecode() -> None:
    """Let Python keep what it makes of modules, also where the machine's environment says otherwise.

    uv installs modules as text. Our engines are compiled once and kept beside their sources; so is this, or every start
    would read numba's thousand modules anew. Outside an environment of its own the program leaves Python as it is.
    """
    if sys.prefix != sys.base_prefix:
        sys.dont_write_bytecode = False

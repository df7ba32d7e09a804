"""The command line: one module per verb, named like the verb, and a few modules that the verbs share."""

from __future__ import annotations

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command `cupboard`. Errors are printed as sentences, never as tracebacks."""
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
    """Let Python write bytecode files, even if PYTHONDONTWRITEBYTECODE is set.

    uv installs modules as source only: without bytecode files every start would compile numba's thousand modules anew.
    Outside a virtual environment Python's setting is left as it is.
    """
    if sys.prefix != sys.base_prefix:
        sys.dont_write_bytecode = False

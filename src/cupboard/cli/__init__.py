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
    try:
        from cupboard.cli.app import app

        app(prog_name="cupboard")
    except KeyboardInterrupt:
        sys.exit(130)

"""The program of the process that turns SVG into PNG, for `painter.py`; it runs by its path and imports only resvg.

resvg holds Python's interpreter lock while it draws, up to a second for the star of Chinese Checkers: in the server's
own process every table would stand still. Each request on standard input is four bytes of length and an SVG in UTF-8,
each answer on standard output four bytes of length and a PNG; an empty answer says that it could not be drawn. The
process ends when its input does, and so with the server, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import BinaryIO

NICE = 10
"""Players come first: the process gives way to everything else on the machine."""


def answer_all(requests: BinaryIO, answers: BinaryIO) -> None:
    """Draw one picture after the other until there are no more requests."""
    import resvg_py

    while len(head := requests.read(4)) == 4:
        drawn = requests.read(int.from_bytes(head, "big")).decode()
        try:
            png = bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=2))
        except Exception as error:
            print(f"A picture could not be drawn: {error}", file=sys.stderr)
            png = b""
        answers.write(len(png).to_bytes(4, "big") + png)
        answers.flush()


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICE)
    with contextlib.suppress(BrokenPipeError):
        answer_all(sys.stdin.buffer, sys.stdout.buffer)

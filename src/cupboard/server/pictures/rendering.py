"""What the process that turns SVG into PNG does, for `painter.py`; it imports only resvg (see `child_program.py`).

resvg holds Python's interpreter lock while it draws, up to a second for the star of Chinese Checkers: in the server's
own process every table would stand still. A request is an SVG in UTF-8, its answer a PNG; an empty answer says that it
could not be drawn.
"""

from __future__ import annotations

import sys

import resvg_py


def answer(request: bytes) -> bytes:
    """The PNG of an SVG; empty when it cannot be drawn."""
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=request.decode(), zoom=2))
    except Exception as error:
        print(f"A picture could not be drawn: {error}", file=sys.stderr)
        return b""

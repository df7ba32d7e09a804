"""What a process that compiles does, for `readiness.py`: it loads a part, which keeps what had to be compiled."""

from __future__ import annotations

import msgspec

from cupboard.server.readiness.parts import Part

_READER = msgspec.json.Decoder(Part)


def answer(request: bytes) -> bytes:
    """Nothing, when the part is compiled and kept; else what went wrong, and the process lives on."""
    try:
        _READER.decode(request).load()
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:500].encode()
    return b""

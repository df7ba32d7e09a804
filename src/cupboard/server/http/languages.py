"""Which language a browser asks for."""

from __future__ import annotations

import re

from cupboard.core.words import known


def spoken(request: bytes) -> str:
    """The first language a browser asks for; English when there is no catalogue of it."""
    found = re.search(rb"^accept-language:\s*([a-z]{2,3})", request, re.IGNORECASE | re.MULTILINE)
    return known(found[1].decode().lower()) if found else "en"

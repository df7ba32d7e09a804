"""Which language a visitor reads: the one that they have chosen on the page, else what their browser asks for."""

from __future__ import annotations

from typing import Any

from litestar import Request

from cupboard.core.words import spoken

COOKIE = "cupboard-language"
"""Set by the page when somebody chooses a language, so that what the server writes is in it, too."""
_LONGEST = 1_000


def language_of(request: Request[Any, Any, Any]) -> str:
    """The language to answer in."""
    return spoken([request.cookies.get(COOKIE, ""), *by_preference(request.headers.get("accept-language", ""))])


def by_preference(header: str) -> list[str]:
    """The languages of an Accept-Language header, the dearest first: `nl-BE,nl;q=0.9,en;q=0.5`."""
    tags: list[tuple[float, str]] = []
    for part in header[:_LONGEST].split(","):
        tag, _, weight = part.partition(";")
        try:
            tags.append((float(weight.strip().removeprefix("q=") or 1), tag.strip()))
        except ValueError:
            continue
    return [tag for weight, tag in sorted(tags, key=lambda one: -one[0]) if weight > 0]

"""The three parts of an ASGI application's call, as types, and what the application adds to a scope."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

REFUSAL = "cupboard.refusal"
"""Where the scope of a refused request holds its Problem, for the log: not every answer has it as its body."""

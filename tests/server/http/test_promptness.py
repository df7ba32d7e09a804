"""Answers leave at once: no request waits for a second packet, and what is the same for all is made once."""

from __future__ import annotations

import time
from statistics import median

import httpx
import pytest

pytestmark = pytest.mark.quiet


def test_a_request_over_an_open_connection_is_answered_without_delay(http: httpx.Client) -> None:
    """Header and body are two packets: unless told to send at once, the system waits 40 ms for the first's receipt."""
    assert median_seconds(http, "/api/health") < 0.025


@pytest.mark.parametrize("path", ["/docs", "/api/games"])
def test_what_is_the_same_for_all_is_written_once(http: httpx.Client, path: str) -> None:
    """The reference takes 40 ms to write, during which players at tables would wait."""
    assert median_seconds(http, path) < 0.025


def median_seconds(http: httpx.Client, path: str) -> float:
    assert http.get(path).status_code == 200
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        http.get(path)
        took.append(time.perf_counter() - begun)
    return median(took)

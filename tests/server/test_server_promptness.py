"""Answers leave at once."""

from __future__ import annotations

import time
from statistics import median

import httpx


def test_a_request_over_an_open_connection_is_answered_without_delay(http: httpx.Client) -> None:
    """Header and body are two packets: unless told to send at once, the system waits 40 ms for the first's receipt."""
    http.get("/api/health")
    took = []
    for _ in range(20):
        begun = time.perf_counter()
        http.get("/api/health")
        took.append(time.perf_counter() - begun)
    assert median(took) < 0.025

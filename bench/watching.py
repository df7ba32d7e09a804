"""What the figures for Prometheus cost a move: servers with and without them by turns, in one run.

    python bench/watching.py                    # Jumping Cups, five pairs, about two minutes
    python bench/watching.py --game cup-king --pairs 3

With the figures, a client reads them once a second, fifteen times as often as Prometheus does. Prints the CPU time per
move of each server, and the ratio of the medians.
"""

from __future__ import annotations

import argparse
import asyncio
import socket
import statistics
import sys
import tempfile
import threading
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from bench.server import AS_SHIPPED, load, measure
from tests.server.helpers import serving, until_ready


def one(game: str, tables: int, seconds: float, metrics: str) -> float:
    """The milliseconds of CPU that a move costs a new server."""
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), metrics=metrics, **AS_SHIPPED) as server,
    ):
        until_ready(server.url)
        over = threading.Event()
        reader = threading.Thread(target=_read, args=(metrics, over))
        reader.start()
        try:
            return asyncio.run(measure(server, game, tables, 0.0, seconds))[0]
        finally:
            over.set()
            reader.join()


def _read(metrics: str, over: threading.Event) -> None:
    """Read the figures once a second, if there are any."""
    while metrics and not over.wait(1.0):
        httpx.get(f"http://{metrics}/metrics").raise_for_status()


def main() -> None:
    """Read the command line, measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--game", default="jumping-cups")
    options.add_argument("--tables", type=int, default=50)
    options.add_argument("--seconds", type=float, default=5)
    options.add_argument("--pairs", type=int, default=5)
    chosen = options.parse_args()
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{sock.getsockname()[1]}"
    off, on = [], []
    for _ in range(chosen.pairs):
        off.append(one(chosen.game, chosen.tables, chosen.seconds, ""))
        on.append(one(chosen.game, chosen.tables, chosen.seconds, address))
    ratio = statistics.median(on) / statistics.median(off)
    print(f"without: {_told(off)}; with: {_told(on)}; ratio of the medians {ratio:.2f}; load {load()}")


def _told(costs: list[float]) -> str:
    return f"{statistics.median(costs):.3f} ms ({min(costs):.3f} to {max(costs):.3f})"


if __name__ == "__main__":
    main()

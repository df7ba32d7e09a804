"""How long the first start takes: a fresh clone with nothing compiled, and the start after it.

    python bench/first_start.py                             # cold and warm, the quickest game chosen at once
    python bench/first_start.py --game cup-king --runs 3 --json

Clones the committed tree into a temporary folder and starts the command there with this Python, whose packages are used
as they are; the page is the one built here. Then it does what a person does: opens the page (in Chromium, if there is
one), lays a table of a game against its gentlest bot as soon as the page is there, moves, and waits for the bot's
answer. All times are seconds since the command was given.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import resource
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.server.helpers import SocketPlayer, lay
from tests.web.conftest import _FLAGS

ROOT = Path(__file__).parent.parent
PAGE = Path("src/cupboard/server/page")
STEPS = ("listening", "lobby", "cards", "laid", "moved", "answered", "all ready", "CPU", "load")
GOALS = {"cold": {"lobby": 5, "cards": 5, "answered": 12, "all ready": 45}, "warm": {"lobby": 2, "cards": 2}}
_LONGEST = 300.0


class Start:
    """One start of the command in a clone, and when each step was reached."""

    def __init__(self, clone: Path, game: str, browser: Any) -> None:
        self.times: dict[str, float] = {"load": round(os.getloadavg()[0], 1)}
        self._game, self._browser = game, browser
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        spent = _cpu_of_children()
        self._begun = time.perf_counter()
        process = self._process(clone)
        try:
            self._watch()
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)
        self.times["CPU"] = _cpu_of_children() - spent

    def _process(self, clone: Path) -> subprocess.Popen[bytes]:
        command = [
            sys.executable,
            "-m",
            "cupboard",
            "--no-browser",
            "--port",
            str(self.port),
            "--data",
            str(clone / "data"),
        ]
        own = {"PYTHONPATH": str(clone / "src"), "XDG_CACHE_HOME": str(clone / "cache"), "NUMBA_CACHE_DIR": ""}
        return subprocess.Popen(command, env=os.environ | own, cwd=clone, stdout=subprocess.DEVNULL)

    def _watch(self) -> None:
        self._reach("listening", self._connects)
        with httpx.Client(base_url=self.url, timeout=_LONGEST) as http:
            self._reach("lobby", lambda: self._serves_lobby(http))
            tabs = self._browser.new_context() if self._browser is not None else None
            if tabs is not None:
                page = tabs.new_page()
                page.goto(self.url)
                page.wait_for_function("n => document.querySelectorAll('article h2').length == n", arg=len(self._games))
                self._note("cards")
            made = self._lay(http)
            self._note("laid")
            with ThreadPoolExecutor(1) as beside:  # Playwright's event loop is this thread's
                beside.submit(asyncio.run, self._play(made)).result()
            self._reach("all ready", lambda: all(one["state"] == "ready" for one in http.get("/api/readiness").json()))
            if tabs is not None:
                tabs.close()

    def _connects(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def _serves_lobby(self, http: httpx.Client) -> bool:
        page = http.get("/").text
        assert "<script" in page, "the page is not built: npm run build in web/"
        for part in page.split('"'):
            if part.startswith("/assets/"):
                assert http.get(part).status_code == 200
        self._games = http.get("/api/games").json()
        return bool(self._games)

    def _lay(self, http: httpx.Client) -> dict[str, Any]:
        """A table of the game against its gentlest bot, asked for again as long as the game is not ready."""
        game = next(one for one in self._games if one["name"] == self._game)
        level = game["levels"][0]["level"]
        while True:
            try:
                return lay(http, self._game, "me", *[f"bot:{level}"] * (game["seats"][0] - 1))
            except AssertionError as refused:
                if "getting-ready" not in str(refused):
                    raise
            time.sleep(0.5)

    async def _play(self, made: dict[str, Any]) -> None:
        """Move as soon as it is one's turn, until a bot has moved afterwards."""
        player = await SocketPlayer.sit(self.port, made["table"]["id"], made["keys"][0]["token"])
        while 0 not in player.update.get("asked", ()):
            await player.receive()
        filled = "filling" in player.update
        await player.move(player.filled() if filled else player.update["moves"][0]["text"])
        self._note("moved")
        mine = player.version
        while not any(one["kind"] == "move" and one.get("seat", -1) > 0 for one in player.events[mine:]):
            await player.receive()
        self._note("answered")
        await player.socket.close()

    def _reach(self, step: str, is_reached: Callable[[], bool]) -> None:
        while not is_reached():
            assert time.perf_counter() < self._begun + _LONGEST, f"{step} was never reached"
            time.sleep(0.02 if step == "listening" else 0.25)
        self._note(step)

    def _note(self, step: str) -> None:
        self.times[step] = time.perf_counter() - self._begun


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(game: str, browser: Any) -> dict[str, dict[str, float]]:
    """A cold start in a new clone, and a warm one in the same."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "cupboard"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        shutil.copytree(ROOT / PAGE, clone / PAGE)
        return {kind: Start(clone, game, browser).times for kind in ("cold", "warm")}


def main() -> None:
    """Measure, and print a table or JSON."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--game", default="jumping-cups", help="the game that is chosen at once")
    reader.add_argument("--runs", type=int, default=1)
    reader.add_argument("--no-chromium", action="store_true", help="ask as a program only")
    reader.add_argument("--json", action="store_true")
    given = reader.parse_args()
    chromium = None if given.no_chromium else shutil.which("chromium")
    if chromium is None:
        runs = [measure(given.game, None) for _ in range(given.runs)]
    else:
        from playwright.sync_api import sync_playwright

        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=_FLAGS)
            runs = [measure(given.game, browser) for _ in range(given.runs)]
            browser.close()
    if given.json:
        print(json.dumps({"game": given.game, "runs": runs}, indent=2))
        return
    print(f"{given.game} chosen at once, {os.cpu_count()} processors; seconds (median of {given.runs})")
    print("      " + "".join(step.rjust(11) for step in STEPS))
    for kind in ("cold", "warm"):
        row = {step: [run[kind][step] for run in runs if step in run[kind]] for step in STEPS}
        print(kind.ljust(6) + "".join((f"{statistics.median(v):.1f}" if v else "-").rjust(11) for v in row.values()))
        print("goal".ljust(6) + "".join(str(GOALS[kind].get(step, "")).rjust(11) for step in STEPS))


if __name__ == "__main__":
    main()

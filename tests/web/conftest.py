"""A server and Debian's Chromium for the browser tests. Without them the tests are skipped with the reason."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar
from urllib.request import urlopen

import pytest

from cupboard.server.settings import ServerSettings

PAGE = Path(__file__).parents[2] / "src" / "cupboard" / "server" / "page"
SHOTS = Path(__file__).parent / "screenshots"
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SIZES = {"phone": (360, 740), "tablet": (820, 1180), "desk": (1440, 900)}


class Host:
    """A server in a subprocess, with its data in a folder, so that it can be killed and started again."""

    def __init__(self, folder: Path, page: Path = PAGE, bot_pause: float = 0.05, port: int = 0, url: str = "") -> None:
        self.folder = folder
        self.bot_pause = bot_pause
        self.page = page
        self.port = port
        self.url = url
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server, on the port it had before if any, and wait until it answers."""
        script = Path(__file__).with_name("host.py")
        self.process = subprocess.Popen(
            [sys.executable, script, *map(str, (self.folder, self.port, self.page, self.bot_pause, self.url))],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())
        # The first answer takes a while: everything is imported before it.
        with urlopen(f"{self.address}/api/games", timeout=180) as answer:
            assert answer.status == 200

    def kill(self) -> None:
        """Kill the server, as if it had crashed."""
        self.process.kill()
        self.process.communicate()


H = TypeVar("H", bound=Host)


def until_killed(start: Callable[[], H]) -> Iterator[H]:
    """For fixtures: the server that `start` makes, which is killed after the test."""
    needs_browser()
    made = start()
    yield made
    made.kill()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """One server for each test file: all of Chromium has one address, whose rate limit is too low for all files."""
    yield from until_killed(lambda: Host(tmp_path_factory.mktemp("data")))


@pytest.fixture
def own_host(tmp_path: Path) -> Iterator[Host]:
    """A server for one test, which may kill it."""
    yield from until_killed(lambda: Host(tmp_path))


@pytest.fixture
def calm_host(tmp_path: Path) -> Iterator[Host]:
    """A server whose bots pause before a move as long as shipped, so that every move can be seen."""
    yield from until_killed(lambda: Host(tmp_path, bot_pause=ServerSettings(data=tmp_path).bot_pause))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One for each file of tests: while it is open, its event loop is the thread's, and other tests need their own."""
    needs_browser()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=_FLAGS)
        yield browser
        browser.close()


_FLAT = "localStorage.getItem('cupboard.space') ?? localStorage.setItem('cupboard.space', 'off')"
"""Tables that could be shown in space are flat, unless a test wants them as they come (test_flick.py): without a
graphics card a picture of such a table takes a tenth of a second."""
Opener = Callable[..., Any]
Shot = Callable[[Any, str], None]


@pytest.fixture
def opened(chromium: Any) -> Iterator[Opener]:
    """A function that opens a page with its own cookies: `opened("phone", theme="dark")`. Page errors fail the test."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def open_page(size: str = "desk", theme: str = "light", flat: bool = True, **more: Any) -> Any:
        width, height = SIZES[size]
        touch = size == "phone"
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            has_touch=touch,
            is_mobile=touch,
            **{"locale": "en-GB", **more},
        )
        context.set_default_timeout(90_000)  # a busy machine; nothing waits this long that works
        if flat:
            context.add_init_script(_FLAT)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda message: _note(message, troubles))
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not troubles


def _note(message: Any, troubles: list[str]) -> None:
    # The browser itself reports a lost connection; that is no error of the page.
    harmless = ("ERR_CONNECTION", "WebSocket connection", "net::ERR")
    refused = "Failed to load resource" in message.text and "/api/" in message.location["url"]
    if message.type == "error" and not refused and not any(word in message.text for word in harmless):
        troubles.append(message.text)


@pytest.fixture
def shot() -> Shot:
    """A function that saves a screenshot of the page, for people to look at."""
    SHOTS.mkdir(exist_ok=True)

    def take(page: Any, name: str) -> None:
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


def needs_browser() -> None:
    """Skip the test, with the reason, where it cannot be run."""
    if not shutil.which("chromium"):
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    if not (PAGE / "index.html").is_file():
        pytest.skip("the page is not built (npm run build in web/)")

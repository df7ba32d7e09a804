"""A server and Debian's Chromium for the browser tests; without them the tests are skipped and say why."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from cupboard.server.settings import Settings

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
    """A server in a process of its own, on a folder that outlives it."""

    def __init__(self, folder: Path, page: Path = PAGE, bot_pause: float = 0.05) -> None:
        self.folder = folder
        self.bot_pause = bot_pause
        self.page = page
        self.port = 0
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """On the same port as before, if there was one."""
        script = Path(__file__).with_name("host.py")
        self.process = subprocess.Popen(
            [sys.executable, str(script), str(self.folder), str(self.port), str(self.page), str(self.bot_pause)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        self.port = int(self.process.stdout.readline())
        # The first answer takes a while: the rules are compiled, or loaded, before it.
        with urlopen(f"{self.address}/api/games", timeout=180) as answer:
            assert answer.status == 200

    def kill(self) -> None:
        """As a power cut would."""
        self.process.kill()
        self.process.communicate()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    """One for each file of tests: Chromium has one address, and no household lays a hundred tables in three minutes."""
    _needs()
    made = Host(tmp_path_factory.mktemp("data"))
    yield made
    made.kill()


@pytest.fixture
def own_host(tmp_path: Path) -> Iterator[Host]:
    """One that a test may kill."""
    _needs()
    made = Host(tmp_path)
    yield made
    made.kill()


@pytest.fixture
def calm_host(tmp_path: Path) -> Iterator[Host]:
    """One whose bots take the time that we ship, so that every move is seen."""
    _needs()
    made = Host(tmp_path, bot_pause=Settings(data=tmp_path).bot_pause)
    yield made
    made.kill()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """One for each file of tests: while it is open, its event loop is the thread's, and other tests need their own."""
    _needs()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=_FLAGS)
        yield browser
        browser.close()


Opener = Callable[..., Any]
Shot = Callable[[Any, str], None]


@pytest.fixture
def opened(chromium: Any) -> Iterator[Opener]:
    """Somebody with a browser of their own: `opened("phone", theme="dark")` is a page. Its errors fail the test."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def open_page(size: str = "desk", theme: str = "light", **more: Any) -> Any:
        width, height = SIZES[size]
        touch = size == "phone"
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            has_touch=touch,
            is_mobile=touch,
            **{"locale": "en-GB", **more},
        )
        context.set_default_timeout(30_000)
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
    # A cut line is reported by the browser itself; that is not the page's mistake.
    harmless = ("ERR_CONNECTION", "WebSocket connection", "net::ERR")
    refused = "Failed to load resource" in message.text and "/api/" in message.location["url"]
    if message.type == "error" and not refused and not any(word in message.text for word in harmless):
        troubles.append(message.text)


@pytest.fixture
def shot() -> Shot:
    """Keep a picture of the page, to be looked at."""
    SHOTS.mkdir(exist_ok=True)

    def take(page: Any, name: str) -> None:
        page.screenshot(path=SHOTS / f"{name}.png")

    return take


def _needs() -> None:
    if not shutil.which("chromium"):
        pytest.skip("Chromium is not installed (apt-get install chromium)")
    if not (PAGE / "index.html").is_file():
        pytest.skip("the page is not built (npm run build in web/)")

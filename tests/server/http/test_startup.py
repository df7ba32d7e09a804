"""Before the server is ready, whoever comes is told how far it is."""

from __future__ import annotations

import socket

import httpx
import pytest

from cupboard.core.words import phrase
from cupboard.server.http.startup import StartupPage
from cupboard.server.run import listen


def test_a_browser_gets_a_page_that_asks_again_and_a_program_gets_a_code() -> None:
    with listen("127.0.0.1", 0) as sock:
        url = f"http://127.0.0.1:{sock.getsockname()[1]}"
        parts = iter(range(1, 100))

        with StartupPage(sock, lambda: phrase("building.engine", game="<Ludo>", part=next(parts), seconds=9)):
            pages = [httpx.get(f"{url}/t/abc") for _ in range(2)]
            problem = httpx.get(f"{url}/api/games")
        assert [page.status_code for page in pages] == [503, 503] and pages[0].headers["refresh"] == "1"
        assert "Building the &lt;Ludo&gt; engine, once on this machine: part 1, 9 s." in pages[0].text
        assert "part 2" in pages[1].text
        assert problem.status_code == 503 and problem.json()["code"] == "building"

        # Left, it lets the next visitor wait for the server.
        with socket.create_connection(sock.getsockname()) as visitor:
            visitor.sendall(b"GET / HTTP/1.1\r\n\r\n")
            sock.settimeout(5)
            with sock.accept()[0] as served:
                assert served.recv(100).startswith(b"GET /")


def test_a_visitor_who_says_nothing_keeps_nobody_out() -> None:
    with listen("127.0.0.1", 0) as sock, StartupPage(sock, lambda: phrase("building.opening")):
        with socket.create_connection(sock.getsockname()):
            answer = httpx.get(f"http://127.0.0.1:{sock.getsockname()[1]}/", timeout=10)
        assert "being opened" in answer.text


@pytest.mark.parametrize(
    ("asked", "language", "said"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de", "Der Schrank wird geöffnet."),
        ("tlh,en", "en", "The cupboard is being opened."),
        ("*", "en", "The cupboard is being opened."),
    ],
)
def test_the_page_speaks_the_language_of_the_browser(asked: str, language: str, said: str) -> None:
    with listen("127.0.0.1", 0) as sock, StartupPage(sock, lambda: phrase("building.opening")):
        url = f"http://127.0.0.1:{sock.getsockname()[1]}/"
        answer = httpx.get(url, headers={"accept-language": asked}, timeout=10)
    assert f'lang="{language}"' in answer.text and said in answer.text

"""After the game: turning points, exploring by mouse and keyboard, links, and boards in other sites' pages."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
START = "?seats=2&options=%7B%22starter%22%3A%22red%22%7D"

IN_SIGHT = """
(one) => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  return top >= 0 && bottom <= innerHeight && (one.contains(found) || found.contains(one));
}
"""
"""Whether all of an element is on the screen, and nothing lies over it."""


def lost_game(page: Any, host: Host, game: str = "jumping-cups") -> str:
    """Play some bad moves for both sides of one screen, and give up."""
    made = hands.make_table(page, host.address, game, [{"kind": "me"}, {"kind": "me"}], starter="red")
    for _ in range(6):
        page.wait_for_selector(f"{hands.ACT}")
        page.wait_for_selector(".spot.open")
        before = hands.version(page)
        page.locator(".spot.open").first.focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".taken", state="attached")
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        hands.wait_for_change(page, before)
    more = page.get_by_role("button", name="More")
    if more.count():  # where the tools are in a bar
        more.click()
    page.get_by_role("button", name="Resign").click()
    page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    page.wait_for_selector(hands.RESULT)
    return str(made["table"]["id"])


def faults(page: Any) -> list[str]:
    """What axe finds wrong."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found["violations"]]


@pytest.mark.parametrize("theme", ("light", "dark"))
def test_turning_points_are_found_and_shown_on_the_board(host: Host, opened: Opener, shot: Shot, theme: str) -> None:
    page = opened("desk", theme=theme)
    lost_game(page, host)
    page.get_by_role("button", name="Turning points").click()
    panel = page.get_by_role("region", name="Turning points")
    panel.locator("details").wait_for()
    page.wait_for_selector("progress", state="detached", timeout=120_000)
    # The graph is stepped through with the keyboard.
    graph = panel.get_by_role("slider")
    graph.focus()
    page.keyboard.press("Home")
    assert graph.get_attribute("aria-valuenow") == "1"
    assert "jumps from" in (graph.get_attribute("aria-valuetext") or "")
    page.keyboard.press("ArrowRight")
    assert graph.get_attribute("aria-valuenow") == "2"
    page.get_by_text("Looking back.").wait_for()
    points = panel.locator(".points button")
    if points.count():
        points.first.click()
        assert panel.get_by_text("Better:").count() == 1
        page.wait_for_selector(".ahead.hint", state="attached")
    shot(page, f"turning-{theme}")
    assert not faults(page)
    page.get_by_role("link", name="Explore from here").click()
    page.wait_for_selector(".tree .move")
    assert page.locator(".tree .move").count() == 7, "the beginning and six moves"


def test_on_a_phone_the_turning_points_stand_below_the_board(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("phone", reduced_motion="reduce")
    lost_game(page, host)
    page.tap(".sheet button:has-text('Turning points')")
    page.wait_for_selector(".sheet", state="detached")
    panel = page.get_by_role("region", name="Turning points")
    panel.locator("details").wait_for()
    page.wait_for_function(IN_SIGHT, arg=panel.get_by_role("heading").element_handle())
    page.wait_for_selector("progress", state="detached", timeout=120_000)
    panel.get_by_role("slider").focus()
    page.keyboard.press("End")
    page.get_by_text("Looking back.").wait_for()
    for shown in (panel.locator(".chosen p").first, page.locator("svg.board")):
        page.wait_for_function(IN_SIGHT, arg=shown.element_handle())
    assert panel.locator(".chosen .numbers").first.inner_text() == "3.", "six moves are three rounds"
    shot(page, "turning-phone")


def test_variations_are_played_undone_and_kept(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("desk")
    page.goto(f"{host.address}/explore/jumping-cups{START}")
    page.wait_for_selector(".spot.open")
    play(page, "5", "6")
    play(page, "10", "9")
    page.get_by_role("button", name="Back").click()
    page.wait_for_function("() => document.querySelector('.status').innerText.includes('Yellow')")
    play(page, "11", "10")
    moves = page.locator(".tree .move")
    moves.last.get_by_text("11 → 10").wait_for()  # in notation until the server has said it in words
    assert moves.count() == 4
    page.get_by_label("Note on this move").fill("a quiet move")
    page.keyboard.press("Tab")
    page.get_by_role("button", name="Make main line").click()
    page.get_by_role("button", name="What is best?").click()
    page.wait_for_selector("[data-verdict]", timeout=120_000)
    assert "Best: Red jumps from" in page.inner_text("[data-verdict]")
    shot(page, "explore-desk")
    assert not faults(page)
    page.reload()
    page.wait_for_selector(".tree ul")
    assert page.locator(".tree .move").count() == 4 and page.get_by_text("a quiet move").count()
    page.get_by_role("button", name="Delete from here").click()
    page.wait_for_function("() => document.querySelectorAll('.tree .move').length === 3")


def play(page: Any, start: str, end: str) -> None:
    before = page.locator(".tree .move").count()
    page.wait_for_selector(f".spot.open[data-spot='{start}']")
    hands.click_spot(page, start)
    hands.click_spot(page, end)
    page.wait_for_function("n => document.querySelectorAll('.tree .move').length > n", arg=before)


def test_exploring_needs_no_mouse(host: Host, opened: Opener) -> None:
    page = opened("desk")
    page.goto(f"{host.address}/explore/jumping-cups{START}")
    page.wait_for_selector(".spot.open")
    page.keyboard.press("b")
    for _ in range(2):
        page.keyboard.press("Enter")
        page.keyboard.press("n")
        page.keyboard.press("Enter")
        page.wait_for_timeout(400)
    assert page.locator(".tree .move").count() >= 2
    page.locator(".tree .move").last.focus()
    page.keyboard.press("ArrowLeft")
    page.wait_for_function("() => !document.querySelector('.tree > .move:last-child[aria-current]')")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("h")
    page.wait_for_selector("[data-verdict]", timeout=120_000)


@pytest.mark.parametrize("size", ("phone", "desk"))
def test_a_position_is_set_up_by_hand(host: Host, opened: Opener, shot: Shot, size: str) -> None:
    page = opened(size)
    page.goto(f"{host.address}/explore/jumping-cups{START}")
    page.get_by_role("button", name="Set up a position").click()
    section = page.get_by_role("region", name="Set up a position")
    section.wait_for()
    if size == "desk":
        hands.drag_spot(page, "1", "7")
    else:
        for spot in ("1", "7"):
            page.locator(f"[data-spot='{spot}']").focus()
            page.keyboard.press("Enter")
    assert "empty" in (page.locator("[data-spot='1']").get_attribute("aria-label") or "")
    shot(page, f"set-up-{size}")
    assert not faults(page)
    page.locator("[data-spot='2']").focus()
    page.keyboard.press("Delete")
    section.get_by_role("button", name="Use this position").first.click()
    assert "five cups of Red" in page.get_by_role("alert").inner_text()
    section.get_by_role("button", name="red cup", exact=True).click()
    page.locator("[data-spot='6']").focus()
    page.keyboard.press("Enter")
    section.get_by_label("To act").select_option(label="Yellow")
    section.get_by_role("button", name="Use this position").first.click()
    page.wait_for_function("() => document.querySelector('.status')?.innerText.includes('Yellow')")
    assert "position=" in page.url


def test_a_record_is_opened_by_paste_and_a_wrong_line_is_named(host: Host, opened: Opener, tmp_path: Path) -> None:
    page = opened("desk", locale="de-DE")
    page.goto(f"{host.address}/explore/double-dutch")
    page.wait_for_selector(".spot.open")
    page.get_by_text("Speichern und öffnen").click()
    text = '[Game "jumping-cups"]\n[Option "starter=red"]\n\nA:5-7\n'
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Öffnen", exact=True).click()
    assert "Zug 1 in Zeile 4, A:5-7:" in page.get_by_role("alert").inner_text()
    file = tmp_path / "my.game"
    file.write_text(text.replace("5-7", "5-6"))
    page.locator("input[type=file]").set_input_files(file)
    page.wait_for_url("**/explore/jumping-cups**")
    page.wait_for_selector(".tree .move >> text=5 → 6")
    page.get_by_text("Speichern und öffnen").click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Hauptvariante als Aufzeichnung speichern").click()
    assert "A:5-6" in Path(saved.value.path()).read_text()


@contextmanager
def another_site(body: str) -> Iterator[str]:
    """The address of a page that another server shows; a browser takes it for another site's."""

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Keep requests out of the output of the tests."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_address[1]}/"
        server.shutdown()


def test_a_board_in_another_sites_page_can_be_stepped_through(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened("desk")
    table = lost_game(page, host)
    other = opened("desk", flat=False)
    for path in (f"/embed/t/{table}", f"/embed/explore/jumping-cups{START}&moves=A%3A5-6%20B%3A10-9"):
        body = f'<iframe src="{host.address}{path}" width="480" height="420"></iframe>'
        with another_site(body) as elsewhere:
            other.goto(elsewhere)
            frame = other.frame_locator("iframe")
            frame.locator("svg.board").wait_for()
            before = frame.locator(".status").inner_text()
            frame.get_by_role("button", name="One move back").click()
            frame.locator(f"text={before}").wait_for(state="detached")
            assert frame.locator(".spot").count() == 0, "nothing can be done here"
            assert frame.get_by_role("link", name="Open in Cupboard").get_attribute("href")
            shot(other, "embedded")
            assert not faults(other.frames[1])


@pytest.mark.parametrize(("size", "theme"), (("phone", "light"), ("phone", "dark"), ("tablet", "dark")))
@pytest.mark.parametrize("game", ("chinese-checkers", "cup-king", "double-dutch"))
def test_exploring_fits_the_screen(host: Host, opened: Opener, shot: Shot, game: str, size: str, theme: str) -> None:
    page = opened(size, theme=theme)
    page.goto(f"{host.address}/explore/{game}")
    page.wait_for_selector(".play svg.board")
    page.wait_for_timeout(500)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    shot(page, f"explore-{game}-{size}-{theme}")
    assert not faults(page)

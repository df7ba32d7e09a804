"""The end of a game: who won and how, confetti, and where to go from here."""

from __future__ import annotations

from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot
from .hands import RESULT

CONFETTI = "canvas[aria-hidden=true]"
SEEN = """
window.confetti = 0;
new MutationObserver((all) => {
  for (const one of all) for (const node of one.addedNodes)
    if (node.nodeName === 'CANVAS' || node.querySelector?.('canvas')) confetti++;
}).observe(document, { childList: true, subtree: true });
"""


def end(page: Any, host: Host, won: bool, **more: Any) -> None:
    """A game of two persons that ends by resigning: on this page when lost, else by the friend's cookie-less token."""
    page.add_init_script(SEEN)
    friend = {"kind": "me", "name": "Bo"} if won is None else {"kind": "friend"}
    made = hands.make_table(page, host.address, "jumping-cups", [{"kind": "me", "name": "Ida"}, friend], **more)
    table = made["table"]["id"]
    page.evaluate(
        """async ([table, invite, mine]) => {
            if (invite) await fetch(`/api/tables/${table}/seats/1`, { method: "POST", credentials: "omit",
                headers: { "Content-Type": "application/json" }, body: JSON.stringify({ invite, name: "Bo" }) })
                .then((answer) => answer.json()).then(({ key }) => (window.theirs = key.token));
        }""",
        [table, made["invites"][0]["invite"] if made["invites"] else "", won],
    )
    page.wait_for_selector("[role=toolbar] >> text=Hint")
    if won:
        page.evaluate(
            """(table) => new Promise((done) => {
                const line = new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${table}/socket`);
                line.onopen = () => line.send(JSON.stringify({ type: "hello", tokens: [theirs], version: 0 }));
                line.onmessage = ({ data }) => {
                    const { type } = JSON.parse(data);
                    if (type === "update") { line.send(JSON.stringify({ type: "resign", seat: 1 })); done(); }
                };
            })""",
            table,
        )
    else:
        page.click("[role=toolbar] >> text=Resign")
        page.click("dialog >> text=Resign")
    page.wait_for_selector(RESULT)


def test_a_win_is_celebrated(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    end(page, host, won=True)
    assert page.inner_text(f"{RESULT} h2") == "You win!"
    assert page.inner_text(f"{RESULT} h2 + p") == "Bo resigned."
    page.wait_for_selector(CONFETTI)
    page.wait_for_timeout(500)
    shot(page, "finale-desk")
    page.wait_for_selector(CONFETTI, state="detached")
    page.reload()
    page.wait_for_selector(RESULT)
    page.wait_for_timeout(1000)
    assert page.evaluate("confetti") == 0, "whoever comes back later came to look"


def test_a_defeat_is_not(host: Host, opened: Opener) -> None:
    page = opened()
    end(page, host, won=False)
    assert page.inner_text(f"{RESULT} h2") == "Bo wins"
    assert page.inner_text(f"{RESULT} h2 + p") == "Ida resigned."
    page.wait_for_timeout(1000)
    assert page.evaluate("confetti") == 0


def test_with_reduced_motion_nothing_falls(host: Host, opened: Opener) -> None:
    page = opened(reduced_motion="reduce")
    end(page, host, won=True)
    page.wait_for_timeout(1000)
    assert page.evaluate("confetti") == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_on_a_phone_the_result_is_in_sight_and_can_be_closed(
    host: Host, opened: Opener, shot: Shot, theme: str
) -> None:
    page = opened("phone", theme=theme)
    end(page, host, won=True)
    page.wait_for_selector(".sheet")
    page.wait_for_timeout(600)
    shot(page, f"finale-phone-{theme}")
    box = page.locator(f"{RESULT} button:has-text('Play again')").bounding_box()
    assert box["y"] + box["height"] <= 740, "in sight without scrolling"
    close = page.locator(".sheet button[aria-label=Close]").bounding_box()
    assert min(close["width"], close["height"]) >= 44
    page.tap(".sheet button[aria-label=Close]")
    page.wait_for_selector(".sheet", state="detached")
    assert page.locator(RESULT).count() == 1, "it is still below"


def test_stronger_lays_the_same_table_with_the_next_level(host: Host, opened: Opener) -> None:
    page = opened()
    page.add_init_script(SEEN)
    bot = {"kind": "bot", "level": "random"}
    hands.make_table(page, host.address, "double-dutch", [bot, {"kind": "me"}])
    assert hands.wait_for_turn(page)
    page.click("[role=toolbar] >> text=Resign")
    page.click("dialog >> text=Resign")
    page.wait_for_selector(RESULT)
    assert not page.locator(f"{RESULT} button:has-text('Gentler')").count(), "nothing is gentler"
    assert not page.locator(f"{RESULT} button:has-text('Stronger')").count(), "not after a defeat"

    levels = page.request.get(f"{host.address}/api/games").json()
    ladder = next(game for game in levels if game["name"] == "double-dutch")["levels"]
    strong = ladder[2]["level"]
    hands.make_table(page, host.address, "double-dutch", [{"kind": "bot", "level": strong}, {"kind": "me"}])
    assert hands.wait_for_turn(page)
    page.click("[role=toolbar] >> text=Resign")
    page.click("dialog >> text=Resign")
    page.click(f"{RESULT} button:has-text('Gentler')")
    page.wait_for_selector(RESULT, state="detached")
    assert hands.wait_for_turn(page)
    info = page.request.get(f"{host.address}/api/tables/{page.url.rpartition('/')[2]}").json()
    assert [seat.get("level", "") for seat in info["seats"]] == [ladder[1]["level"], ""]


def test_play_again_against_a_bot_goes_there_at_once(host: Host, opened: Opener) -> None:
    page = opened()
    made = hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, hands.BOT])
    assert hands.wait_for_turn(page)
    page.click("[role=toolbar] >> text=Resign")
    page.click("dialog >> text=Resign")
    page.click(f"{RESULT} button:has-text('Play again')")
    page.wait_for_url(lambda url: "/t/" in url and made["table"]["id"] not in url)
    assert hands.wait_for_turn(page)


def test_on_a_phone_looking_again_uncovers_the_board(host: Host, opened: Opener) -> None:
    page = opened("phone", reduced_motion="reduce")
    end(page, host, won=True)
    page.tap(".sheet button:has-text('Look again')")
    page.wait_for_selector(".sheet", state="detached")

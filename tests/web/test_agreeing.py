"""What people at a table agree on, and what they take home from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from cupboard.core.record import Record

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT


def two_people(host: Host, opened: Opener, game: str, **more: Any) -> tuple[Any, Any, str]:
    """Ida at a desk, Bo with a phone; Ida begins."""
    ida, bo = opened(), opened("phone", theme="dark")
    made = hands.make_table(ida, host.address, game, [{"kind": "me", "name": "Ida"}, {"kind": "friend"}], **more)
    bo.goto(f"{host.address}/t/{made['table']['id']}?invite={made['invites'][0]['invite']}")
    bo.fill("#sit", "Bo")
    bo.click("text=Sit down")
    ida.wait_for_selector(hands.ACT)
    return ida, bo, made["table"]["id"]


def answer(page: Any, question: str, words: str) -> None:
    page.wait_for_selector(f"div[role=alertdialog]:has-text('{question}')")
    page.click(f"div[role=alertdialog] >> text={words}")


def test_taking_back_needs_a_yes(host: Host, opened: Opener, shot: Shot) -> None:
    ida, bo, _ = two_people(host, opened, "double-dutch")
    hands.click_spot(ida, "e4")
    bo.wait_for_selector(hands.ACT)
    ida.click("text=Take back")
    bo.wait_for_selector("text=would like to take a move back")
    shot(bo, "double-dutch-phone-asked")
    answer(bo, "Ida would like to take a move back", "No, thanks")
    ida.wait_for_selector("text=Bo does not want to take the move back.")
    assert ida.locator("[data-n]").count() == 1
    ida.click("text=Take back")
    answer(bo, "Ida would like to take a move back", "Yes")
    ida.wait_for_selector("text=No moves yet.")
    ida.wait_for_selector(hands.ACT)
    assert bo.locator("[data-piece]").count() == 0
    ida.click("text=Take back")
    ida.wait_for_selector("text=There is no move of yours to take back")


def test_chat_and_resigning(host: Host, opened: Opener) -> None:
    ida, bo, _ = two_people(host, opened, "jumping-cups", starter="red")
    assert not ida.locator("text=Offer a draw").count(), "Jumping Cups cannot be drawn"
    bo.fill("input[placeholder='Say something']", "Good luck!")
    bo.keyboard.press("Enter")
    ida.wait_for_selector("li:has-text('Bo Good luck!')")
    ida.click("text=Resign")
    ida.wait_for_selector("dialog >> text=The game ends and you lose.")
    ida.click("dialog >> text=No")
    assert ida.locator(hands.ACT).count()
    ida.click("text=Resign")
    ida.click("dialog >> text=Resign")
    for page in (ida, bo):
        page.wait_for_selector(hands.RESULT)
    assert "You win" in bo.inner_text(hands.RESULT) and "resigned" in bo.inner_text(hands.RESULT)


def test_with_three_seats_the_page_says_that_a_bot_plays_on(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    hands.make_table(page, host.address, "double-dutch", [{"kind": "me", "name": "Ida"}, BOT, BOT])
    page.wait_for_selector(hands.ACT)
    page.click("text=Resign")
    page.wait_for_selector("dialog >> text=A bot plays on in your place.")
    shot(page, "resign-three")
    page.click("dialog >> text=Resign")
    page.wait_for_selector(".name:has-text('Ida\\'s stand-in')")
    page.wait_for_selector("text=You are watching")
    assert not page.locator("[role=toolbar] >> text=Resign").count()
    page.wait_for_selector(hands.RESULT, timeout=120_000)  # three bots play on at a calm pace


def test_a_draw_is_offered_declined_and_agreed_and_played_again(host: Host, opened: Opener, shot: Shot) -> None:
    ida, bo, table = two_people(host, opened, "chinese-checkers")
    ida.click("text=Offer a draw")
    ida.wait_for_selector("text=Waiting for an answer: a draw?")
    answer(bo, "Ida offers a draw", "No, thanks")
    ida.wait_for_selector("text=Bo does not want a draw.")
    bo.click("text=More")
    bo.click("dialog >> text=Offer a draw")
    answer(ida, "Bo offers a draw", "Yes")
    for page in (ida, bo):
        page.wait_for_selector(f"{hands.RESULT} >> text=agreed on a draw")
    shot(ida, "draw-agreed")
    ida.click("text=Play again")
    answer(bo, "Ida would like a rematch", "Yes")
    for page in (ida, bo):
        page.wait_for_url(lambda url: table not in url)
        page.wait_for_selector(".asked")
    bo.wait_for_selector(hands.ACT)  # the table has turned: the other begins
    assert not ida.locator(hands.ACT).count()


def test_clocks_are_shown_and_run(host: Host, opened: Opener) -> None:
    ida, bo, _ = two_people(host, opened, "double-dutch", clock={"start": 300, "gain": 3})
    assert ida.locator("[role=timer]").count() == 2
    own, other = ida.locator(".you [role=timer]"), ida.locator("li:not(.you) [role=timer]")
    ida.wait_for_function("() => /^4:5[0-8]$/.test(document.querySelector('.you [role=timer]').innerText)")
    assert other.inner_text() == "5:00", "only the clock of whose turn it is runs"
    ran = own.inner_text()
    hands.click_spot(ida, "e4")
    bo.wait_for_selector(hands.ACT)
    assert own.inner_text() > ran, "three seconds are gained with the move"
    bo.wait_for_function("() => /^4:5/.test(document.querySelector('.you [role=timer]').innerText)")


def test_what_is_taken_home_is_the_game(host: Host, opened: Opener, tmp_path: Path) -> None:
    page, stranger = opened(permissions=["clipboard-read", "clipboard-write"]), opened()
    hands.make_table(page, host.address, "jumping-cups", [{"kind": "me", "name": "Ida"}, BOT], starter="red")
    page.wait_for_selector(hands.ACT)
    hands.click_spot(page, "5")
    hands.click_spot(page, "6")
    page.wait_for_selector("[data-n] >> nth=1")
    page.click("text=Resign")
    page.click("dialog >> text=Resign")
    page.wait_for_selector(hands.RESULT)

    def take(words: str) -> Path:
        with page.expect_download() as caught:
            page.click(f"{hands.RESULT} a:has-text('{words}')")
        file: Path = tmp_path / caught.value.suggested_filename
        caught.value.save_as(file)
        return file

    record = Record.read(take("Record").read_text(encoding="utf-8"))
    assert record.moves[0].text == "5-6" and len(record.moves) == 2
    assert record.tags["A"] == "Ida" and "resigned" in record.tags["Termination"]
    assert Record.from_json(msgspec.json.decode(take("JSON").read_bytes())) == record
    assert take("Picture SVG").read_text(encoding="utf-8").startswith("<svg")
    assert take("PNG").read_bytes().startswith(b"\x89PNG")

    page.click("[role=toolbar] >> text=Links")
    page.wait_for_selector("dialog >> text=To step through this game")
    page.click("dialog .link:has-text('To step through') >> text=Copy link")
    stranger.goto(page.evaluate("navigator.clipboard.readText()"))
    stranger.click("text=Look again")
    stranger.wait_for_selector("text=Looking back.")
    for _ in range(2):
        stranger.click("button[aria-label='One move on']")
    stranger.wait_for_selector("text=Looking back.", state="detached")


def test_a_hint_is_shown_on_the_board(host: Host, opened: Opener) -> None:
    page = opened()
    hands.make_table(page, host.address, "double-dutch", [{"kind": "me"}, BOT])
    page.wait_for_selector(hands.ACT)
    page.click("[role=toolbar] >> text=Hint")
    page.wait_for_selector("rect.hint")
    page.wait_for_selector("text=A bot would play")
    assert "Hint:" in page.inner_text("[data-news]")

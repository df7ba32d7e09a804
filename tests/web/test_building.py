"""Cup King's building and private hands."""

from __future__ import annotations

from typing import Any

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT

READY = "text=My pyramid is ready"


def pyramid(page: Any) -> str:
    return "".join(hands.bucket(page, spot) for spot in hands.open_spots(page))


def test_a_pyramid_is_suggested_shuffled_corrected_and_built(host: Host, opened: Opener, shot: Shot) -> None:
    page, other = opened("tablet"), opened(theme="dark")
    made = hands.make_table(page, host.address, "cup-king", [{"kind": "me", "name": "Ida"}, {"kind": "friend"}])
    other.goto(f"{host.address}/t/{made['table']['id']}?invite={made['invites'][0]['invite']}")
    other.click("text=Sit down")
    page.wait_for_selector(READY)
    suggested = pyramid(page)
    page.click("text=Shuffle")
    shuffled = pyramid(page)
    assert shuffled != suggested and sorted(shuffled) == sorted(suggested)
    page.click("text=Suggestion")
    assert pyramid(page) == suggested
    spots = hands.open_spots(page)
    last = next(spot for spot in spots if hands.bucket(page, spot) != hands.bucket(page, spots[0]))
    hands.drag_spot(page, spots[0], last)
    built = pyramid(page)
    assert built != suggested and sorted(built) == sorted(suggested)
    shot(page, "cup-king-building-tablet")
    page.click(READY)
    page.wait_for_selector(READY, state="detached")
    assert "".join(hands.bucket(page, spot) for spot in spots) == built
    # The other sees that there is a pyramid, and no colour of it.
    other.wait_for_selector(READY)
    assert {hands.bucket(other, spot) for spot in spots} == {"?"}
    other.click(READY)
    other.wait_for_function("() => !document.querySelector('[data-piece=\"A:a1\"] text').textContent.includes('?')")
    assert "".join(hands.bucket(other, spot) for spot in spots) == built


def test_people_at_one_screen_do_not_see_each_others_hands(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened()
    page.goto(host.address)
    page.click("button[aria-label='Cup King on this screen']")
    page.fill("input[aria-label='Name for seat 2']", "Bo")
    shot(page, "new-table")
    page.click("dialog button.primary")
    page.click("text=I am Guest")
    page.click(READY)
    page.wait_for_selector("text=Hand the screen to Bo")
    shot(page, "curtain")
    assert not page.locator("svg.board").count()
    page.click("text=I am Bo")
    assert any(spot.startswith("B:") for spot in hands.open_spots(page))


def test_a_phone_is_the_hand_and_a_big_screen_the_table(host: Host, opened: Opener, shot: Shot) -> None:
    desk, phone, screen = opened(), opened("phone"), opened(theme="dark")
    made = hands.make_table(desk, host.address, "cup-king", [{"kind": "me"}, BOT, BOT])
    table, token = made["table"]["id"], made["keys"][0]["token"]
    phone.goto(f"{host.address}/t/{table}?hand#{token}")
    phone.click(READY)
    screen.goto(f"{host.address}/t/{table}?watch")
    screen.wait_for_selector("svg.board")
    phone.wait_for_selector("svg.board [data-spot='A:a1']")
    assert not phone.locator("[data-spot^='B:']").count()
    assert not screen.locator("[data-spot^='A:R'], [data-spot^='A:G'], [data-spot^='A:B']").count()
    phone.wait_for_timeout(400)
    shot(phone, "cup-king-hand-on-phone")
    shot(screen, "cup-king-big-screen-dark")
    # What is played with the phone is to be seen on the screen.
    assert hands.wait_for_turn(phone)
    mine = "() => [...document.querySelectorAll('.move .hidden')].filter(one => one.textContent == 'Guest').length"
    before = screen.evaluate(mine)
    hands.fight(phone, hands.tap_spot)
    screen.wait_for_function(f"before => ({mine})() > before", arg=before)

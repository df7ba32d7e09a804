"""People at the page: accounts, links, onlookers, and what a device remembers."""

from __future__ import annotations

from typing import Any

from . import hands
from .conftest import Host, Opener, Shot
from .hands import BOT


def sign_in(page: Any, button: str, password: str) -> None:
    page.click("button[aria-label$='name and account']")
    page.fill("#user", "ida")
    page.fill("#pass", password)
    page.click(f"dialog >> text={button}")


def test_an_account_brings_the_same_seat_to_another_device(host: Host, opened: Opener, shot: Shot) -> None:
    desk, phone = opened(), opened("phone", theme="dark")
    desk.goto(host.address)
    desk.click("button[aria-label$='name and account']")
    desk.fill("#who", "Ida")
    desk.click("dialog >> text=Save")
    desk.wait_for_selector("header >> text=Ida")
    sign_in(desk, "Make an account", "correct horse")
    desk.wait_for_selector("dialog", state="detached")
    made = hands.make_table(desk, host.address, "double-dutch", [{"kind": "me"}, BOT])
    assert hands.wait_for_turn(desk)

    phone.goto(host.address)
    assert not phone.locator("section[aria-label='Your games']").count()
    sign_in(phone, "Sign in", "wrong horse")
    phone.wait_for_selector("dialog [role=alert]")
    shot(phone, "account-phone-dark")
    phone.fill("#pass", "correct horse")
    phone.click("dialog >> text=Sign in")
    phone.wait_for_selector("dialog", state="detached")
    phone.click(f"section[aria-label='Your games'] a[href='/t/{made['table']['id']}']")
    assert hands.wait_for_turn(phone)
    assert hands.own_name(phone) == "Ida"
    before = hands.version(desk)
    hands.tap_spot(phone, "e4")  # brings it nearer
    phone.wait_for_timeout(300)
    hands.tap_spot(phone, "e4")
    hands.wait_for_change(desk, before)
    assert desk.locator("[data-n]").count()

    phone.goto(host.address)
    phone.click("button[aria-label$='name and account']")
    phone.wait_for_selector("text=You are signed in as ida.")
    phone.click("text=Sign out")
    phone.wait_for_selector("section[aria-label='Your games']", state="detached")


def test_a_new_password_signs_the_other_devices_out(host: Host, opened: Opener, shot: Shot) -> None:
    desk, phone = opened(), opened("phone")
    for page, button in ((desk, "Make an account"), (phone, "Sign in")):
        page.goto(host.address)
        page.click("button[aria-label$='name and account']")
        page.fill("#user", "olga")
        page.fill("#pass", "correct horse")
        page.click(f"dialog >> text={button}")
        page.wait_for_selector("dialog", state="detached")
    made = hands.make_table(desk, host.address, "jumping-cups", [{"kind": "me", "name": "Olga"}, {"kind": "friend"}])
    phone.goto(f"{host.address}/t/{made['table']['id']}")
    phone.wait_for_selector(".name:has-text('Olga')")
    assert not phone.locator("text=You are watching").count()

    desk.goto(host.address)
    desk.click("button[aria-label$='name and account']")
    desk.click("summary >> text=Change password")
    desk.fill("#old", "wrong horse")
    desk.fill("#new", "battery staple")
    shot(desk, "password")
    desk.click("dialog button >> text=Change password")
    desk.wait_for_selector("dialog [role=alert]")
    desk.fill("#old", "correct horse")
    desk.click("dialog button >> text=Change password")
    desk.wait_for_selector("dialog", state="detached")
    phone.wait_for_selector("text=You are watching")  # its socket was closed, and came back as nobody's


def test_two_friends_find_their_seats_by_their_own_links(host: Host, opened: Opener) -> None:
    """A link does not say which seat it is for: the second friend's page tries another seat in vain, and goes on."""
    ida, bo, cy = opened(), opened(), opened("phone")
    seats = [{"kind": "me", "name": "Ida"}, {"kind": "friend"}, {"kind": "friend"}]
    made = hands.make_table(ida, host.address, "double-dutch", seats)
    links = [f"{host.address}/t/{made['table']['id']}?invite={invite['invite']}" for invite in made["invites"]]
    for page, link, name in ((cy, links[1], "Cy"), (bo, links[0], "Bo")):
        page.goto(link)
        page.fill("#sit", name)
        page.click("text=Sit down")
        ida.wait_for_selector(f".name:has-text('{name}')")
    ida.wait_for_selector(hands.ACT)
    assert [hands.own_name(page) for page in (ida, bo, cy)] == ["Ida", "Bo", "Cy"]


def test_a_copied_link_gives_the_seat_once(host: Host, opened: Opener, shot: Shot) -> None:
    anna = opened(permissions=["clipboard-read", "clipboard-write"])
    bo, late = opened("phone"), opened()
    hands.make_table(anna, host.address, "jumping-cups", [{"kind": "me"}, {"kind": "friend"}])
    anna.wait_for_selector("aside input[readonly]")
    shot(anna, "invite")
    assert anna.locator("section[aria-label=Moves]").bounding_box()["height"] > 90, "the list of moves is squeezed"
    anna.click("aside .link button:has-text('Copy link') >> nth=0")
    anna.wait_for_selector("text=Copied")
    link = anna.evaluate("navigator.clipboard.readText()")
    assert link == anna.locator("aside input[readonly]").first.input_value()
    bo.goto(link)
    bo.fill("#sit", "Bo")
    bo.click("text=Sit down")
    anna.wait_for_selector(".name:has-text('Bo')")
    anna.wait_for_selector("section[aria-label=Links]", state="detached")
    late.goto(link)
    late.wait_for_selector("text=You are watching")
    assert not late.locator("#sit").count()


def test_onlookers_are_counted(host: Host, opened: Opener, shot: Shot) -> None:
    player, one, other = opened("phone"), opened(), opened()
    made = hands.make_table(player, host.address, "jumping-cups", [{"kind": "me"}, BOT])
    assert not player.locator(".audience").count()
    for page in (one, other):
        page.goto(f"{host.address}/t/{made['table']['id']}")
    for page in (player, one, other):
        page.wait_for_selector(".audience[title='2 watching']")
    assert one.locator("text=2 watching").is_visible()
    shot(player, "watched-phone")
    one.close()
    player.wait_for_selector(".audience[title='1 watching']")
    other.close()
    player.wait_for_selector(".audience", state="detached")


_EAR = """
  window.knocks = 0;
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...when) { window.knocks++; return start.apply(this, when); };
"""


def test_sound_can_be_switched_off_and_stays_off(host: Host, opened: Opener) -> None:
    page = opened()
    page.add_init_script(_EAR)
    hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, BOT])
    assert hands.wait_for_turn(page)
    switch = page.locator("button[aria-label=Sound]")
    assert switch.get_attribute("aria-pressed") == "true"
    hands.click_spot(page, hands.open_spots(page)[0])
    page.wait_for_function("() => window.knocks > 0")
    page.keyboard.press("Escape")
    switch.click()
    heard = page.evaluate("window.knocks")
    hands.click_spot(page, hands.open_spots(page)[0])
    assert hands.picked(page) and page.evaluate("window.knocks") == heard
    page.reload()
    page.wait_for_selector(".asked")
    assert switch.get_attribute("aria-pressed") == "false"


def test_a_phone_is_silent_until_asked(host: Host, opened: Opener) -> None:
    phone = opened("phone")
    phone.goto(host.address)
    assert phone.get_attribute("button[aria-label=Sound]", "aria-pressed") == "false"

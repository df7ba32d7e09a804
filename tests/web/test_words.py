"""Every word on the page comes from a catalogue: in the language of brackets, `en-XA`, what does not has none."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from . import hands
from .conftest import Host, Opener, Shot

GAMES = ("jumping-cups", "double-dutch", "cup-king", "chinese-checkers")
BRACKETS = "en-XA"
BOT = {"kind": "bot", "level": "sprout"}

# Every text of the page, heard or seen, with whether it stands where notation may: on a board or in the list of moves.
_TEXTS = """() => {
  const texts = [];
  const add = (node, text) => text?.trim() && texts.push([text.trim(), !!node.closest('svg, .move, time')]);
  for (const node of document.querySelectorAll('body *, title')) {
    // The names of languages are written in the languages themselves.
    if (node.closest('script, style, option[lang]')) continue;
    for (const name of ['aria-label', 'title', 'placeholder', 'alt']) add(node, node.getAttribute(name));
    for (const child of node.childNodes) if (child.nodeType === Node.TEXT_NODE) add(node, child.data);
  }
  return texts;
}"""
_NOTATION = re.compile(r"[A-Za-z]\d*|\d+|lot|off|build|keep|left|middle|right|draw|forget|AM|PM")


def foreign(page: Any, *names: str) -> list[str]:
    """The texts that are neither from a catalogue, nor notation, nor a name that somebody chose; and unfilled ones."""
    found = []
    for text, is_notation in page.evaluate(_TEXTS):
        words = (word for word in re.findall(r"\w+", outside(text)) if word not in ("Cupboard", *names))
        strange = (word for word in words if not word.isdigit() and not (is_notation and _NOTATION.fullmatch(word)))
        if any(strange) or re.search(r"\{\w+\}", text):
            found.append(text)
    return found


def outside(text: str) -> str:
    """What of a text is in no bracket."""
    depth, out = 0, ""
    for sign in text:
        depth += sign == "⟦"
        out += " " if depth else sign
        depth -= sign == "⟧"
    assert depth == 0, text
    return out


def test_the_check_sees_what_is_not_translated(host: Host, opened: Opener) -> None:
    page = opened(locale=BRACKETS)
    page.goto(host.address)
    page.wait_for_selector("article")
    page.evaluate("document.querySelector('h2').append('Play!')")
    page.evaluate("document.querySelector('main').setAttribute('aria-label', '⟦Games⟧ of today')")
    assert {"Play!", "⟦Games⟧ of today"} <= set(foreign(page))
    assert outside("⟦⟦Red⟧ to move.⟧, e4").strip() == ", e4"


def test_the_first_page_and_its_dialogs_speak_one_language(host: Host, opened: Opener) -> None:
    page = opened(locale=BRACKETS)
    hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, {"kind": "friend"}])
    page.goto(host.address)
    page.wait_for_selector("article svg [data-piece]")
    page.wait_for_selector("main section")
    assert page.locator("article").count() == 4
    assert not foreign(page)
    page.click("header .who")
    page.wait_for_selector("dialog[open]")
    assert not foreign(page)
    page.fill("#user", "nobody-there")
    page.fill("#pass", "no password at all")
    page.click("dialog button[value=in]")
    page.wait_for_selector("dialog [role=alert]")
    assert not foreign(page)
    page.keyboard.press("Escape")
    for card in page.locator("article").all():
        card.locator("button").nth(1).click()
        page.click("dialog summary")
        assert not foreign(page)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog", state="detached")


@pytest.mark.parametrize("name", GAMES)
def test_a_table_speaks_one_language(host: Host, opened: Opener, name: str) -> None:
    page = opened(locale=BRACKETS)
    hands.make_table(page, host.address, name, [{"kind": "me"}, BOT], {"start": 300, "gain": 3})
    rng = random.Random(name)
    for _ in range(6):
        if not _play(page, rng):
            break
        assert not foreign(page)
    page.mouse.click(*_somewhere_wrong(page))
    page.keyboard.press("h")
    page.wait_for_timeout(200)
    assert not foreign(page)
    _talk_and_end(page)
    assert not foreign(page, "Hello")


def _play(page: Any, rng: random.Random) -> bool:
    """Make some move; False when there is none to make."""
    page.wait_for_selector(f"{hands.ACT}, aside section h2")
    before = page.locator("[data-n]").count(), page.inner_text(".status")
    for _ in range(40):
        if page.locator(f"aside section h2, .asked:not({hands.ACT})").count():
            return bool(page.locator(".asked:not(.act)").count())
        if (page.locator("[data-n]").count(), page.inner_text(".status")) != before:
            return True
        buttons = page.locator(f"{hands.ACT} button.primary, dialog[open] button.danger")
        if buttons.count():
            hands.press(buttons.first)
        else:
            spots = hands.open_spots(page)
            if spots:
                hands.click_spot(page, rng.choice(spots))
        page.wait_for_timeout(50)
    raise AssertionError("no move could be made")


def _somewhere_wrong(page: Any) -> tuple[float, float]:
    spots = page.eval_on_selector_all(".spot:not(.open)", "all => all.map(one => one.getAttribute('data-spot'))")
    return hands.middle(page, spots[0])


def _talk_and_end(page: Any) -> None:
    """Ask for everything once, then resign."""
    if page.locator("[role=toolbar] .danger").count():
        page.locator("[role=toolbar] button").nth(1).click()
        page.wait_for_timeout(200)
        assert not foreign(page)
        page.click("[role=toolbar] .danger")
        page.wait_for_selector("dialog[open]")
        assert not foreign(page)
        page.click("dialog button.danger")
    page.wait_for_selector("aside section h2")
    page.click("aside .inline")
    page.wait_for_selector("dialog dl")


def test_two_people_hear_of_each_other_in_one_language(host: Host, opened: Opener) -> None:
    anna, bo = opened(locale=BRACKETS), opened("phone", locale=BRACKETS)
    made = hands.make_table(anna, host.address, "double-dutch", [{"kind": "me"}, {"kind": "friend"}])
    anna.wait_for_selector("aside .link")
    assert not foreign(anna)
    bo.goto(f"{host.address}/t/{made['table']['id']}?invite={made['invites'][0]['invite']}")
    bo.fill("#sit", "Bo")
    assert not foreign(bo)
    bo.click("form button.primary")
    anna.wait_for_selector(hands.ACT)
    hands.click_spot(anna, "e4")
    bo.wait_for_selector(hands.ACT)
    for what in (1, 2):  # a takeback, then a draw
        anna.locator("[role=toolbar] button").nth(what).click()
        bo.wait_for_selector("div[role=alertdialog]")
        assert not foreign(anna, "Bo") and not foreign(bo, "Bo")
        bo.locator("div[role=alertdialog] button").nth(1).click()
        anna.wait_for_selector(".says")
        bo.wait_for_selector("div[role=alertdialog]", state="detached")
    bo.locator("form input").last.fill("Hello")
    bo.keyboard.press("Enter")
    anna.wait_for_selector("text=Hello")
    assert not foreign(anna, "Bo", "Hello") and not foreign(bo, "Bo", "Hello")
    bo.goto(f"{host.address}/t/nosuchtable")
    bo.wait_for_selector("main.message a")
    assert not foreign(bo)


def test_the_page_speaks_the_readers_language_and_can_be_told_another(host: Host, opened: Opener) -> None:
    page = opened(locale="de-AT")
    made = hands.make_table(page, host.address, "jumping-cups", [{"kind": "me"}, BOT], starter="red")
    assert page.inner_text(".status") == (
        "Du bist dran. Tippe auf einen deiner roten Becher. "
        "Er springt auf die roten Felder zu, so weit, wie sein Stapel hoch ist."
    )
    assert (page.get_attribute("html", "lang"), page.get_attribute("html", "dir")) == ("de", "ltr")
    assert "Keim-Bot" in page.inner_text(".round")
    assert page.get_attribute('[data-spot="1"]', "aria-label").startswith("Feld 1, 5. Zielfeld von Gelb: Becher, rot")
    hands.click_spot(page, "12")
    page.wait_for_selector("text=Der Becher auf 12 gehört nicht Rot.")
    page.goto(host.address)
    page.select_option("footer select", "en")
    page.wait_for_selector("text=Your games")
    page.goto(f"{host.address}/t/{made['table']['id']}")
    page.wait_for_selector(hands.ACT)
    assert page.inner_text(".status") == (
        "Your turn. Tap one of your red cups. It jumps towards the red squares, as far as its stack is high."
    )
    assert page.get_attribute("html", "lang") == "en"


def test_the_rules_are_in_the_language_of_the_page_and_say_so(host: Host, opened: Opener, shot: Shot) -> None:
    page = opened(locale="de-DE")
    hands.make_table(page, host.address, "double-dutch", [{"kind": "me"}, BOT])
    page.keyboard.press("?")
    page.wait_for_selector(".rulebook article")
    assert page.get_attribute(".rulebook", "lang") == "de"
    assert "Er muss mindestens zwei Felder weit gleiten." in page.inner_text(".rulebook")
    shot(page, "double-dutch-rules-de")

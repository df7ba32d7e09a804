"""Flicking a piece on the page: by the listed strengths, by hand, in space and flat, and looking at it again."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from . import hands
from .conftest import _FLAGS, Host, Opener, Shot, needs_browser
from .keys import Keys

_SOFTWARE_WEBGL = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
_NO_WEBGL = """
  const real = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind.startsWith('webgl') ? null : real.call(this, kind, ...more);
  };
"""
_CLICK = """spot => document.querySelector(`rect[data-spot="${CSS.escape(spot)}"]`)
  .dispatchEvent(new MouseEvent('click', {bubbles: true}))"""
_REMEMBER = "localStorage.getItem('cupboard.space') ?? localStorage.setItem('cupboard.space', '%s')"
_WATCH_MOTIONS = """
  window.motions = [];
  addEventListener('DOMContentLoaded', () => new MutationObserver(() => {
    const now = document.querySelector('.boards')?.getAttribute('data-motion') ?? null;
    if (now !== (window.motions.at(-1) ?? null)) window.motions.push(now);
  }).observe(document.body, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-motion']}));
"""
pytestmark = pytest.mark.long
"""Without a graphics card each takes half a minute or more, and two at once much longer: `pytest -m long -n 0`."""
SOLID = "[data-solid=drawn]"
JUDGEMENT = ".judgement"
PLAYING, REPLAYING, STILL = "[data-motion=live]", "[data-motion=again]", ".boards:not([data-motion])"


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Chromium that draws in space by software, for all tests of this file."""
    needs_browser()
    from playwright.sync_api import sync_playwright

    flags = [flag for flag in _FLAGS if flag != "--disable-gpu"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=[*flags, *_SOFTWARE_WEBGL])
        yield browser
        browser.close()


def sit_down(
    host: Host, opened: Opener, space: str = "", other: str = "phone", script: str = "", **more: Any
) -> tuple[Any, Any]:
    """Ida and Bo at a table, Ida's shown as `space` says ("on", "off", or as it comes), when Ida may flick."""
    ida, bo = opened(flat=False, **more), opened(other, flat=False)
    for page in (ida, bo):
        page.add_init_script(_WATCH_MOTIONS)
    if space:
        ida.add_init_script(_REMEMBER % space)
    if script:
        ida.add_init_script(script)
    seats = [{"kind": "me", "name": "Ida"}, {"kind": "friend"}]
    made = hands.make_table(ida, host.address, "cup-king", seats)
    bo.goto(f"{host.address}/t/{made['table']['id']}?invite={made['invites'][0]['invite']}")
    bo.fill("#sit", "Bo")
    bo.click("text=Sit down")
    for page in (ida, bo):
        page.click("text=My pyramid is ready")
    play_until_she_may_flick(ida, bo)
    return ida, bo


def play_until_she_may_flick(ida: Any, bo: Any) -> None:
    """Let whoever is asked play something, by lot, until Ida has to answer an attack."""
    play_until(ida, bo, lambda: bool(ida.locator(hands.ACT).count() and buckets(ida)))


def play_until(ida: Any, bo: Any, is_enough: Callable[[], bool]) -> None:
    """Let whoever is asked play something, by lot, but not for ever."""
    rng = random.Random(7)
    for _ in range(150):
        if is_enough():
            return
        page = next((one for one in (ida, bo) if one.locator(hands.ACT).count() and hands.open_spots(one)), None)
        if page:
            page.keyboard.press("Escape")  # lets go of cards that cannot be played together
            hands.fight(page, point, rng)
        ida.wait_for_timeout(200)
    raise AssertionError("it never came to that")


def buckets(page: Any) -> list[str]:
    """The buckets that may be flicked now, the lowest first."""
    return sorted(spot for spot in hands.open_spots(page) if spot[2].islower())


def point(page: Any, spot: str) -> None:
    """Point as a screen reader does, which works on the flat board and in space."""
    page.evaluate(_CLICK, spot)


def flick(page: Any, strength: str = "firm") -> str:
    """Flick the lowest bucket by one of the listed strengths. Returns its spot."""
    spot = buckets(page)[0]
    point(page, spot)
    page.click(f".asked [data-spot={strength}]")
    return spot


def gone(page: Any, spot: str) -> bool:
    """Whether no piece stands at a spot of the flat board."""
    return not page.locator(f'[data-piece="{spot}"]').count()


def motions(page: Any) -> list[str | None]:
    """What has been played so far: "live", "again", and None after each."""
    return list(page.evaluate("window.motions"))


def test_a_flick_by_its_strength_is_seen_and_judged_by_everybody(host: Host, opened: Opener, shot: Shot) -> None:
    ida, bo = sit_down(host, opened, space="off")
    spot = flick(ida, "hard")
    ida.wait_for_selector(PLAYING)
    shot(ida, "cup-king-flick-flat")
    for page in (ida, bo):
        page.wait_for_selector(JUDGEMENT)
        assert gone(page, spot), "a flicked bucket is lost"
        assert motions(page)[:2] == ["live", None]
    assert ida.inner_text(JUDGEMENT) == bo.inner_text(JUDGEMENT)
    assert ida.inner_text(JUDGEMENT) in ida.text_content("[data-news]")


def test_aiming_with_the_keyboard_only(host: Host, opened: Opener, shot: Shot) -> None:
    ida, _ = sit_down(host, opened, space="off")
    keys = Keys(ida)
    spot = buckets(ida)[0]
    keys.pick(spot)
    keys.button("Aim")
    for name, key, times in (("strength", "ArrowRight", 5), ("height", "ArrowUp", 3), ("aside", "ArrowLeft", 4)):
        tab_to(ida, f"[data-scale={name}]")
        before = int(ida.input_value(f"[data-scale={name}]"))
        keys.press(*[key] * times)
        assert int(ida.input_value(f"[data-scale={name}]")) == before + (times if key != "ArrowLeft" else -times)
    strength = ida.input_value("[data-scale=strength]")
    assert ida.get_attribute("[data-scale=strength]", "aria-valuetext") == f"{strength} of 100"
    assert "to the left" in ida.get_attribute("[data-scale=aside]", "aria-valuetext")
    shot(ida, "cup-king-aim")
    tab_to(ida, ".push")
    keys.press("Enter")
    ida.wait_for_selector(JUDGEMENT)
    assert gone(ida, spot)
    assert ida.evaluate("window.pointed") == 0


def tab_to(page: Any, selector: str) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(20):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {selector}")


def test_in_space_the_keyboard_meets_the_same_places(host: Host, opened: Opener, shot: Shot) -> None:
    ida, _ = sit_down(host, opened)
    ida.wait_for_selector(SOLID)
    keys = Keys(ida)
    spot = buckets(ida)[0]
    keys.pick(spot)
    assert hands.focused(ida) == spot
    assert ida.inner_text(".caption") == keys.here()
    assert "taken up" in keys.here()
    keys.press("a", "w", "v")
    assert ida.get_attribute("button[aria-label='Come nearer']", "aria-pressed") == "true"
    shot(ida, "cup-king-space-keyboard")
    keys.button("Flick gently")
    ida.wait_for_selector(PLAYING)
    ida.wait_for_selector(JUDGEMENT)
    assert gone(ida, spot)
    assert ida.evaluate("window.pointed") == 0


def test_a_flick_in_space_can_be_watched_again(host: Host, opened: Opener, shot: Shot) -> None:
    ida, bo = sit_down(host, opened)
    ida.wait_for_selector(SOLID)
    flick(ida, "hard")
    ida.wait_for_selector(PLAYING)
    shot(ida, "cup-king-flick-space")
    ida.wait_for_selector(JUDGEMENT)
    bo.wait_for_selector(JUDGEMENT)
    for name in ("slowly", "behind", "side"):
        ida.click(f"[data-watch={name}]")
        ida.wait_for_selector(REPLAYING)
        shot(ida, f"cup-king-flick-space-{name}")
        ida.click("text=Stop")
        ida.wait_for_selector(STILL)
    ida.click("[data-watch=again]")
    ida.wait_for_selector(REPLAYING)
    ida.wait_for_selector(STILL)
    assert bo.locator("[data-watch=behind]").count() == 0, "a flat board has one side"
    assert ida.locator(SOLID).count(), "nothing went wrong in space"


def test_who_wants_calm_sees_the_result_at_once_and_the_motion_when_asked_for(host: Host, opened: Opener) -> None:
    ida, _ = sit_down(host, opened, reduced_motion="reduce")
    assert ida.locator("canvas").count() == 0
    spot = flick(ida)
    ida.wait_for_selector(JUDGEMENT)
    assert gone(ida, spot)
    assert motions(ida) == []
    ida.click("[data-watch=again]")
    ida.wait_for_selector(REPLAYING)
    assert not gone(ida, spot), "what is seen again begins before the flick"
    ida.wait_for_selector(STILL)
    assert gone(ida, spot)


def test_without_webgl_the_board_is_flat_and_nothing_else_is_offered(host: Host, opened: Opener) -> None:
    ida, _ = sit_down(host, opened, space="on", script=_NO_WEBGL)
    assert ida.locator("canvas").count() == 0
    assert ida.locator("button[aria-label='In space']").count() == 0
    spot = buckets(ida)[0]
    hands.click_spot(ida, spot)
    ida.click(".asked [data-spot=firm]")
    ida.wait_for_selector(JUDGEMENT)
    assert gone(ida, spot)


def test_the_switch_is_remembered(host: Host, opened: Opener) -> None:
    ida, bo = sit_down(host, opened)
    ida.wait_for_selector(SOLID)
    assert bo.locator("canvas").count() == 0, "a phone begins flat"
    ida.click("button[aria-label='In space']")
    ida.wait_for_selector("canvas", state="detached")
    ida.reload()
    ida.wait_for_selector("svg.board")
    assert ida.locator("canvas").count() == 0
    bo.click("button[aria-label='In space']")
    bo.wait_for_selector(SOLID)
    bo.reload()
    bo.wait_for_selector(SOLID)


def test_an_older_flick_can_be_watched_when_one_steps_back_to_it(host: Host, opened: Opener) -> None:
    ida, bo = sit_down(host, opened, space="off")
    spot = flick(ida)
    ida.wait_for_selector(JUDGEMENT)
    play_until(ida, bo, lambda: not ida.locator("[data-watch]").count())  # somebody has moved
    ida.evaluate("document.activeElement.blur()")
    for _ in range(12):
        ida.keyboard.press("ArrowLeft")
        ida.wait_for_selector("text=Looking back.")
        if ida.locator("[data-watch]").count():
            break
        ida.wait_for_timeout(50)
    ida.click("[data-watch=again]")
    ida.wait_for_selector(REPLAYING)
    assert not gone(ida, spot)
    ida.wait_for_selector(STILL)

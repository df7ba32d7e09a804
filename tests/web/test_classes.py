"""A class in the browser: a teacher makes one, pupils join, one click pairs them, and their pages go to the tables."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest

from .conftest import SHOTS, Host, Opener, Shot
from .test_access import check
from .test_words import BRACKETS, foreign

PASSWORD = "correct horse battery"
NAMES = ("Anna", "Bo", "Maximiliane von und zu Langenfeld", "Dee", "Eve")


def ask(page: Any, host: Host, method: str, path: str, body: object = None) -> Any:
    """A request with the page's cookie, as the page would send it."""
    headers = {"origin": host.address, "content-type": "application/json"}
    data = None if body is None else json.dumps(body)
    answer = page.request.fetch(f"{host.address}{path}", method=method, headers=headers, data=data)
    assert answer.ok, answer.text()
    return answer.json()


def sign_up(page: Any, host: Host, username: str) -> None:
    ask(page, host, "PUT", "/api/me", {"name": "Ms Meier"})
    ask(page, host, "POST", "/api/account", {"username": username, "password": PASSWORD})


def joined(opened: Opener, host: Host, code: str, names: tuple[str, ...]) -> list[Any]:
    """Pupils' browsers, which are members but show nothing yet."""
    pages = [opened("phone") for _ in names]
    for page, name in zip(pages, names, strict=True):
        ask(page, host, "POST", "/api/join", {"code": code, "name": name})
    return pages


def test_a_lesson(host: Host, opened: Opener, shot: Shot) -> None:
    teacher = opened("desk")
    sign_up(teacher, host, "lesson")
    teacher.goto(host.address)
    teacher.click("footer >> text=Classes")
    teacher.fill("#name", "Class 5b")
    teacher.click("text=Make a class")
    teacher.wait_for_selector("text=Nobody has joined yet")
    shot(teacher, "class-empty-desk")
    code = teacher.inner_text(".big").replace(" ", "")
    assert len(code) == 6

    # One pupil by the page, the others as quick as a class is.
    anna = opened("phone", reduced_motion="reduce")
    anna.goto(f"{host.address}/join")
    anna.fill("#code", "CCC 333")
    anna.click("text=Next")
    anna.wait_for_selector("text=No class has this code")
    check(anna, "a wrong code")
    anna.fill("#code", f"{code[:3].lower()} {code[3:].lower()}")
    anna.keyboard.press("Enter")
    anna.wait_for_selector("h1 >> text=Class 5b")
    assert anna.evaluate("document.activeElement.id") == "who"
    anna.fill("#who", "Anna")
    shot(anna, "class-join-phone")
    check(anna, "joining")
    anna.keyboard.press("Enter")
    anna.wait_for_selector("text=Please wait for the next round")
    shot(anna, "class-wait-phone")
    others = joined(opened, host, code, NAMES[1:])
    teacher.wait_for_selector("text=1 of 5 connected")
    check(teacher, "a class before its first round")
    shot(teacher, "class-joined-desk")

    # One click, and Anna's page goes to her table by itself.
    teacher.click("text=Pair the 5 who are present")
    teacher.wait_for_selector("ol.boards article >> nth=2")
    assert teacher.locator("ol.boards article").count() == 3
    assert teacher.locator("text=sits out: 1 point").count() == 1
    anna.wait_for_selector("svg.board, section[aria-labelledby=own]")
    shot(teacher, "class-round-desk")
    check(teacher, "a round")

    # Results by hand; then the sheet.
    for board in teacher.locator("ol.boards article:has(button)").all():
        board.locator("button").click()
        teacher.wait_for_selector("dialog[open]")
        check(teacher, "a result")
        teacher.locator("dialog button", has_text="wins").first.click()
        teacher.wait_for_selector("dialog", state="detached")
    teacher.wait_for_selector("text=All games are over")
    shot(teacher, "class-over-desk")
    with teacher.expect_download() as loading:
        teacher.click("text=Results (CSV)")
    text = loading.value.path().read_text(encoding="utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert loading.value.suggested_filename == "Class 5b results.csv"
    assert sorted(row["Result"] for row in rows) == ["1-0", "1-0", "sat out, 1 point"]
    assert {row[seat] for row in rows for seat in ("First", "Second")} - {""} == set(NAMES)

    # The next round, after a refused second thought; the first pupil elsewhere is called.
    others[0].goto(f"{host.address}/join/{code}")
    others[0].click("text=Go on as Bo")
    others[0].wait_for_selector("section[aria-labelledby=own]")
    others[0].goto(f"{host.address}/rules")
    teacher.locator("tbody tr", has_text="Dee").locator("input").uncheck()
    teacher.click("text=Pair the 4 who are present")
    teacher.wait_for_selector("h2 >> text=Round 2")
    others[0].wait_for_selector("text=Your table is ready")
    shot(others[0], "class-called-phone")
    check(others[0], "called to a table")
    others[0].click("text=To the table")
    others[0].wait_for_selector("svg.board")
    teacher.wait_for_selector("article [aria-label=connected]")
    teacher.click("text=Pair the 4 who are present")
    teacher.wait_for_selector("text=2 games are still running")
    check(teacher, "asked whether to pair all the same")
    teacher.click("text=Wait")


@pytest.mark.parametrize("theme", ("light", "dark"))
def test_the_class_on_every_screen(host: Host, opened: Opener, shot: Shot, theme: str) -> None:
    teacher = opened("phone", theme=theme)
    sign_up(teacher, host, f"screens-{theme}")
    made = ask(teacher, host, "POST", "/api/classes", {"name": "Chess club, Gottfried Keller School"})
    pages = joined(opened, host, made["code"], (*NAMES, "Fay", "Gus", "Hal", "Ida", "Jo", "Kim"))
    place = f"/api/classes/{made['id']}"
    members = [one["id"] for one in ask(teacher, host, "GET", place)["members"]]
    for n, game in enumerate(("jumping-cups", "double-dutch", "chinese-checkers")):
        body = {"game": game, "method": "swiss", "members": members, "after": n, "bot": "sprout" if n else ""}
        info = ask(teacher, host, "POST", f"{place}/rounds", body)
        for board in info["boards"]:
            if "table" in board and (n < 2 or board["board"] == 3):
                score = ("first", "draw", "second")[(board["board"] + n) % 3]
                ask(teacher, host, "PUT", f"{place}/rounds/{n + 1}/boards/{board['board']}", {"score": score})
    teacher.goto(f"{host.address}/class/{made['id']}")
    teacher.wait_for_selector("ol.boards article >> nth=5")
    pages[0].goto(f"{host.address}/class/{made['id']}")
    pages[0].wait_for_selector("main h1")
    pages[0].emulate_media(color_scheme=theme)
    shot(pages[0], f"class-pupil-phone-{theme}")
    check(pages[0], "a pupil")
    assert pages[0].evaluate("document.documentElement.scrollWidth") <= 360
    check(teacher, "the class on a phone")
    assert teacher.evaluate("document.documentElement.scrollWidth") <= 360
    teacher.screenshot(path=SHOTS / f"class-teacher-phone-{theme}.png", full_page=True)
    teacher.click("button.code")
    teacher.wait_for_selector("dialog .network")  # no QR code leads to a server that only this computer reaches
    teacher.click("dialog .network button")
    teacher.wait_for_selector("dialog svg[role=img]")
    check(teacher, "the code")
    shot(teacher, f"class-code-phone-{theme}")
    teacher.keyboard.press("Escape")
    teacher.click("button[aria-label='More about Anna']")
    teacher.click("text=Make a code")
    teacher.wait_for_selector("dialog .big")
    check(teacher, "a way back")
    shot(teacher, f"class-member-phone-{theme}")
    dialog = "document.querySelector('dialog')"
    assert teacher.evaluate(f"{dialog}.scrollWidth <= {dialog}.clientWidth")
    teacher.keyboard.press("Escape")
    teacher.set_viewport_size({"width": 1440, "height": 900})
    teacher.wait_for_selector("dialog", state="detached")
    teacher.evaluate("scrollTo(0, 0)")
    shot(teacher, f"class-teacher-desk-{theme}")
    check(teacher, "the class on a desk")


def test_the_class_speaks_one_language(host: Host, opened: Opener) -> None:
    teacher = opened(locale=BRACKETS)
    teacher.goto(f"{host.address}/classes")
    teacher.wait_for_selector("main section button")
    assert not foreign(teacher)
    sign_up(teacher, host, "brackets")
    teacher.goto(f"{host.address}/classes")
    teacher.wait_for_selector("#name")
    assert not foreign(teacher, "Ms", "Meier")
    made = ask(teacher, host, "POST", "/api/classes", {"name": "5b"})
    mine = ("Ms", "Meier", "Anna", "Bo", "Cai", "5b", "½", *address_words(host), *code_words(made["code"]))
    teacher.goto(f"{host.address}/class/{made['id']}")
    teacher.wait_for_selector(".big")
    assert not foreign(teacher, *mine)
    joined(opened, host, made["code"], ("Anna", "Bo", "Cai"))
    members = [one["id"] for one in ask(teacher, host, "GET", f"/api/classes/{made['id']}")["members"]]
    body = {"game": "jumping-cups", "method": "swiss", "members": members, "after": 0}
    ask(teacher, host, "POST", f"/api/classes/{made['id']}/rounds", body)
    teacher.wait_for_selector("ol.boards article")
    assert not foreign(teacher, *mine)
    for button in ("button.code", "header button >> nth=-1", "tbody button", "ol.boards article button"):
        teacher.locator(f"main {button}").first.click()
        teacher.wait_for_selector("dialog[open]")
        assert not foreign(teacher, *mine)
        teacher.keyboard.press("Escape")
        teacher.wait_for_selector("dialog", state="detached")
    joining = opened("phone", locale=BRACKETS)
    joining.goto(f"{host.address}/join")
    joining.wait_for_selector("#code")
    assert joining.evaluate("document.documentElement.scrollWidth") <= 360, "nothing sticks out"
    assert not foreign(joining)
    joining.goto(f"{host.address}/join/{made['code']}")
    joining.wait_for_selector("#who")
    assert joining.evaluate("document.documentElement.scrollWidth") <= 360, "nothing sticks out"
    assert not foreign(joining, *mine)


def address_words(host: Host) -> tuple[str, ...]:
    return ("127", "0", "1", host.address.rpartition(":")[2], "join")


def code_words(code: str) -> tuple[str, ...]:
    return (code, code[:3], code[3:])

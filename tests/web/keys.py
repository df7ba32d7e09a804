"""Playing the page with the keyboard alone: moving the focus, picking spots, and reading the live region."""

from __future__ import annotations

from typing import Any

from . import hands

_LISTEN = """() => {
  const region = document.querySelector('[data-news]');
  window.heard = [region.textContent];
  new MutationObserver(() => window.heard.push(region.textContent))
    .observe(region, {childList: true, characterData: true, subtree: true});
  window.pointed = 0;
  for (const kind of ['pointerdown', 'mousedown', 'touchstart'])
    addEventListener(kind, () => window.pointed++, {capture: true});
}"""


class Keys:
    """A player who uses the keyboard and a screen reader only."""

    def __init__(self, page: Any) -> None:
        self.page = page
        page.evaluate(_LISTEN)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def pick(self, spot: str) -> None:
        """Move the focus to a spot that may be picked, on any board, and press Enter."""
        for tab in ("Tab", "Shift+Tab"):  # from the board that b leads to, on to the next ones or back
            self.press("b")
            for _ in range(self.page.locator("svg.board").count()):
                if self._walk(spot):
                    assert not self.page.evaluate("document.activeElement.getAttribute('aria-disabled') == 'true'")
                    self.press("Enter")
                    return
                self.press(tab)
        raise AssertionError(f"no key leads to {spot}")

    def _walk(self, spot: str) -> bool:
        if (first := hands.focused(self.page)) == spot:
            return True
        for _ in range(len(hands.open_spots(self.page)) + 1):
            self.press("n")
            if (here := hands.focused(self.page)) == spot:
                return True
            if here == first:
                return False
        return False

    def button(self, words: str) -> None:
        """Press the button whose text begins with `words`: in an open dialog, else below the board."""
        if not self.page.locator("dialog[open]").count():
            self.press("c")
        for _ in range(8):
            if self.page.evaluate("document.activeElement.innerText")[: len(words)] == words:
                self.press("Enter")
                return
            self.press("Tab")
        raise AssertionError(f"no key leads to the button {words!r}")

    def here(self) -> str:
        """The accessible name of the focused element."""
        return str(self.page.evaluate("document.activeElement.ariaLabel"))

    def heard(self) -> list[str]:
        """The texts that the live region has shown so far."""
        return list(self.page.evaluate("window.heard"))

    def check_that_all_was_told(self, name: str) -> None:
        """Assert that every move of `name` and the end of the game were announced, and that no pointer was used."""
        heard = self.heard()
        made = self.page.eval_on_selector_all(
            ".move .hidden", "(all, name) => all.filter(one => one.textContent == name).length", name
        )
        assert made
        assert sum(words.count(f"{name} ") for words in heard) >= made, heard
        assert self.page.inner_text(".status").split(". ")[0] in heard[-1], heard[-1]
        assert self.page.evaluate("window.pointed") == 0

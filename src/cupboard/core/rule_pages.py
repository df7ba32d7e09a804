"""Rule pages: a game's README.md, read as numbered rules. It is the only place where the text of a rule stands.

A rule is an item of a list, `- **JC-1** …`, under a heading or a line in bold: what the printed rules say. A ruling is
a row of a table, `| JA-1 | question | answer |`: what was decided where they are silent. Everything without a number
is for programmers: notation, records, sources. README.<language>.md holds a translation.
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from msgspec import Struct

from cupboard.core.game import Game
from cupboard.core.words import languages

SpanKind = Literal["text", "strong", "em", "code", "rule", "option"]
"""text, strong, em: prose; code: a cell or what is typed; rule: the number of another rule; option: the name of an
option of the game, which the prose does not need."""
GroupKind = Literal["rules", "rulings"]

_NUMBER = r"[A-Z]{2}-[A-Z]?\d+"
_ITEM = re.compile(rf"- \*\*({_NUMBER})\*\* (.*)")
_ROW = re.compile(rf"\| ({_NUMBER}) \| (.*) \| (.*) \|")
_SPAN = re.compile(rf"\*\*(?P<strong>[^*]+)\*\*|\*(?P<em>[^*]+)\*|`(?P<code>[^`]+)`|\b(?P<rule>{_NUMBER})\b")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


class Span(Struct, frozen=True, array_like=True, gc=False):
    """A stretch of a rule's text."""

    kind: SpanKind
    text: str


class Rule(Struct, frozen=True, omit_defaults=True):
    """A numbered rule or ruling in one language."""

    number: str
    text: tuple[Span, ...]
    question: tuple[Span, ...] = ()
    """What a ruling answers."""

    @property
    def plain(self) -> str:
        """The text without its markup, after the question if there is one."""
        return " ".join("".join(span.text for span in part) for part in (self.question, self.text) if part)


class RuleGroup(Struct, frozen=True, omit_defaults=True):
    """The rules under one heading."""

    title: str
    kind: GroupKind
    rules: tuple[Rule, ...]


class RulePage(Struct, frozen=True):
    """The rules of a game in one language, in reading order."""

    language: str
    intro: tuple[tuple[Span, ...], ...]
    """Paragraphs that say what kind of game it is."""
    groups: tuple[RuleGroup, ...]

    @property
    def rules(self) -> dict[str, Rule]:
        """All rules by their numbers, in reading order."""
        return {rule.number: rule for group in self.groups for rule in group.rules}


@cache
def rule_page(kind: type[Game[Any]], language: str = "en") -> RulePage | None:
    """The rules of a game; in English when they have not been translated, None when they have not been written."""
    text, spoken = rule_text(kind, language)
    return read_page(text, kind, spoken) if text else None


def rule_text(kind: type[Game[Any]], language: str = "en") -> tuple[str, str]:
    """The game's README as written, and its language; an empty text for a game that has none."""
    folder = files(kind._package())
    pages = {"en": folder / "README.md"}
    if language in languages():
        pages = {language: folder / f"README.{language}.md"} | pages
    for spoken, page in pages.items():
        if page.is_file():
            return page.read_text(encoding="utf-8"), spoken
    return "", "en"


def read_page(text: str, kind: type[Game[Any]], language: str = "en") -> RulePage:
    """The numbered rules in a README's Markdown."""
    options = {option.name for option in kind.OPTIONS} | ({"profile"} if kind.PROFILES else set())
    groups: list[RuleGroup] = []
    heading = title = ""
    for line in _unwrapped(text):
        if line.startswith("## "):
            heading, title = line[3:], ""
        elif re.fullmatch(r"\*\*[^*]+\*\*", line):
            title = line.strip("*")
        elif found := _ITEM.fullmatch(line) or _ROW.fullmatch(line):
            number, *question, said = found.groups()
            spans = [_spans(part, options) for part in (said, *question)]
            named = title or heading.partition(",")[0]
            if not groups or groups[-1].title != named:
                groups.append(RuleGroup(named, "rulings" if question else "rules", ()))
            rule = Rule(number, spans[0], spans[1] if question else ())
            groups[-1] = RuleGroup(named, groups[-1].kind, (*groups[-1].rules, rule))
    before = text.partition("\n## ")[0].partition("\n")[2].strip()
    intro = tuple(_spans(" ".join(part.split()), options) for part in before.split("\n\n") if part)
    return RulePage(language, intro, tuple(groups))


def _unwrapped(text: str) -> list[str]:
    """The lines of a Markdown text, with an item of a list joined to one line."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("  ") and lines and lines[-1].startswith("- "):
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def _spans(text: str, options: set[str]) -> tuple[Span, ...]:
    """The stretches of a paragraph. Links lead into the folder of the game, so only their words are kept."""
    text = _LINK.sub(r"\1", text)
    spans: list[Span] = []
    at = 0
    for found in _SPAN.finditer(text):
        if found.start() > at:
            spans.append(Span("text", text[at : found.start()]))
        name, inner = found.lastgroup, found[found.lastgroup or 0]
        if name == "code" and inner.partition("=")[0] in options:
            spans.append(Span("option", inner))
        else:
            spans.append(Span(name, inner))  # type: ignore[arg-type]
        at = found.end()
    if at < len(text):
        spans.append(Span("text", text[at:]))
    return tuple(spans)

"""Rulebooks over HTTP: the numbered rules of a game in one language, and the boards on which they can be tried."""

from __future__ import annotations

import msgspec

from cupboard.core.rule_pages import RuleGroup, Span
from cupboard.core.scene import Scene
from cupboard.server.wire.base import Plain
from cupboard.server.wire.games import OptionInfo, OptionValue


class RulebookInfo(Plain, frozen=True):
    """The answer to GET /api/games/{name}/rulebook."""

    language: str
    """The language of the text: English when the rules have not been translated."""
    intro: tuple[tuple[Span, ...], ...]
    """Paragraphs that say what kind of game it is."""
    groups: tuple[RuleGroup, ...]
    """The rules in reading order; rulings are the answers to what the printed rules leave open."""
    options: tuple[OptionInfo, ...] = ()
    says: dict[str, str] = msgspec.field(default_factory=dict)
    """For the key of a refusal, a warning or an ending the number of the rule that explains it."""
    boards: tuple[str, ...] = ()
    """The numbers of the rules that can be seen on a board: GET /api/games/{name}/rulebook/boards."""


class RuleScene(Plain, frozen=True):
    """A board on which rules can be seen. POST /api/games/{name}/board with its fields plays on from there."""

    numbers: tuple[str, ...]
    """The rules that it shows."""
    scene: Scene
    seat: int
    """The seat from which the scene is seen."""
    hinted: tuple[str, ...] = ()
    """The places with which something can be tried."""
    seats: int | None = None
    options: dict[str, OptionValue] = msgspec.field(default_factory=dict)
    position: str = ""
    moves: tuple[str, ...] = ()

"""A player with human mistakes: it looks less far ahead, overlooks long moves and misjudges near-equal ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from threading import Event
from time import perf_counter
from typing import Any

from cupboard.core.game import Game, Position, View
from cupboard.core.ladder import Skill
from cupboard.players.alphabeta import AlphaBeta
from cupboard.players.search_core import PROVEN
from cupboard.players.thinking import LEVEL_SECONDS, Limits, Report, Thinker, Thought

_SMALL, _LARGE = 14, 18  # bits of the table: a large one is slow to wipe before a short look
_FIRST_MOVES = 3


class Fallible(Thinker):
    """An alpha-beta player held back to a skill. A winning move that it notices it always makes."""

    def __init__(self, game: Game[Any], seed: int, skill: Skill, seconds: float = LEVEL_SECONDS) -> None:
        """On a slow or busy machine it moves after `seconds`, though its skill would let it look further."""
        self.game = game
        self.skill = skill
        self._rng = Random(seed)
        bits = _SMALL if skill.nodes < 1 << _SMALL else _LARGE
        self.limits = Limits(seconds, skill.nodes)
        self._search = AlphaBeta(game, seed, self.limits, table_bits=bits, oracle=skill.counts, remembers=False)

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The best of the moves it notices, as it misjudges them.

        It never looks at more positions than its skill allows, whatever the limits or `all_moves` ask for.
        """
        began = perf_counter()
        limits = limits or self.limits
        position = self.game.imagine(view, self._rng)
        if (counted := self._search.counted_out(position, Limits(limits.seconds, self.skill.nodes), stop)) is not None:
            return counted
        search = self._search.search
        codes = self._noticed(position)
        nodes = max(min(limits.nodes or self.skill.nodes, self.skill.nodes), 2 * len(codes))
        begins = position.ply < _FIRST_MOVES * self.game.seats
        limits = limits.after(perf_counter() - began)
        sigma = max(self.skill.doubt, self.skill.whim if begins else 0.0) * search.scale
        look = search.search(
            position._row, codes, Limits(limits.seconds, nodes, limits.depth), stop, None, int(3 * sigma)
        )
        # Values behind the best are bounds, or were found less deep: none of them is worth more than the best.
        believed = {
            code: value if abs(value) >= PROVEN else min(value, look.value) + round(self._rng.gauss(0, sigma))
            for code, value in look.values.items()
        }
        ranked = replace(look, codes=tuple(sorted(look.codes, key=lambda code: -believed[code])), values=believed)
        thought = self._search.thought(position, ranked)
        if report is not None:
            report(thought)
        return thought

    def _noticed(self, position: Position[Any]) -> list[int]:
        """The codes of the moves it sees, at least one."""
        codes = self._search.ordered(position)
        seen = [code for code in codes if self._rng.random() >= self._chance_to_miss(position, code)]
        return seen or codes[:1]

    def _chance_to_miss(self, position: Position[Any], code: int) -> float:
        skill, sees = self.skill, 1 - self.skill.blind
        if skill.overlook:
            sees *= (1 - skill.overlook) ** max(0, position._decode(code).landings - 1)
        if skill.hunch and self._search.search.promise(position._row, code) < 0:
            sees *= 1 - skill.hunch
        return 1 - sees

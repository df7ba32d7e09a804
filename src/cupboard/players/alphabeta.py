"""Alpha-beta: looks as far ahead as its limits allow, and takes the move that holds against the best answers.

Iterative deepening with a transposition table, killer moves and history over any game without secrets or dice. Two
seats play it out exactly; with more, the others are one opponent (`paranoid`) or answer one at a time (`reply`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from threading import Event
from time import perf_counter
from typing import Any

from cupboard.core.game import Game, Move, Position, View
from cupboard.core.knowledge import Advice, Style
from cupboard.players.deepening import Deepening, SearchResult
from cupboard.players.search_core import INFINITE, PROVEN
from cupboard.players.shares import Shares
from cupboard.players.thinking import SECOND, Limits, MoveValue, Proven, Report, Thinker, Thought

_PROVEN = {1: Proven.WIN, 0: Proven.OPEN, -1: Proven.LOSS}


class AlphaBeta(Thinker):
    """The search as a player. Limited by nodes, it makes the same move again from the same seed."""

    def __init__(
        self,
        game: Game[Any],
        seed: int,
        limits: Limits = SECOND,
        style: Style | None = None,
        weights: Sequence[int] = (),
        table_bits: int = 20,
        oracle: bool = True,
        remembers: bool = True,
    ) -> None:
        """`oracle` says whether the game's solver or end-game is asked first, where it has one."""
        self.game = game
        self.limits = limits
        self.search = Deepening(game, style, weights, table_bits, remembers)
        make_oracle = game.knowledge.oracle if oracle else None
        self._oracle = None if make_oracle is None else make_oracle(game)
        self.shares = Shares(game)
        self._rng = Random(seed)

    def think(
        self,
        view: View[Any],
        limits: Limits | None = None,
        stop: Event | None = None,
        report: Report | None = None,
        all_moves: bool = False,
    ) -> Thought:
        """The best move; with `all_moves` the values of the others are exact too, which takes longer."""
        began = perf_counter()
        limits = limits or self.limits
        position = self.game.imagine(view, self._rng)

        def tell(look: SearchResult) -> None:
            assert report is not None
            report(self.thought(position, look, perf_counter() - began))

        margin = 2 * INFINITE if all_moves else 0
        codes = self.ordered(position)
        advice = self._advice(position, limits, stop)
        if advice is not None and advice[0] >= 0 and not all_moves:
            return self._advised(position, advice, perf_counter() - began)
        limits = limits.after(perf_counter() - began)
        look = self.search.search(position._row, codes, limits, stop, tell if report else None, margin)
        thought = self.thought(position, look, perf_counter() - began)
        if advice is not None and advice[1] < 0:  # lost against the best play: the search finds the hardest way
            thought = replace(thought, proven=Proven.LOSS, score=0.0)
        return thought

    def counted_out(self, position: Position[Any], limits: Limits, stop: Event | None = None) -> Thought | None:
        """What the game's solver or end-game advises, if it is asked and knows a good move."""
        began = perf_counter()
        advice = self._advice(position, limits, stop)
        return None if advice is None or advice[0] < 0 else self._advised(position, advice, perf_counter() - began)

    def _advice(self, position: Position[Any], limits: Limits, stop: Event | None) -> Advice | None:
        if self._oracle is None:
            return None
        is_stopped = (lambda: False) if stop is None else stop.is_set
        return self._oracle.advise(position._row, limits.seconds, limits.nodes, is_stopped)

    def _advised(self, position: Position[Any], advice: Advice, seconds: float) -> Thought:
        code, sign, nodes = advice
        move = position._decode(code)
        proven = _PROVEN[sign]
        # What the evaluation says after the move; an oracle that proves nothing gives no score of its own.
        look = self.search.search(position._row, [code], Limits(depth=1))
        scores = self.shares.of_moves(position, position.play(move), look.values, self._is_sure)
        score = max(0.0, float(sign)) if proven else scores[code]
        value = MoveValue(move, score, nodes, (move,), proven)
        return Thought(move, score, 1, nodes + look.nodes, (move,), proven, (value,), seconds)

    def ordered(self, position: Position[Any]) -> list[int]:
        """The legal codes, the most promising first; the seed decides among equals, so that games differ."""
        codes = list(position._codes())
        self._rng.shuffle(codes)
        return sorted(codes, key=lambda code: -int(self.search.promise(position._row, code)))

    def thought(self, position: Position[Any], look: SearchResult, seconds: float = 0.0) -> Thought:
        """What was found, as moves and shares of the point."""
        pv, leaf = self._variation(position, look)
        # A search cut short knows the other moves less deep than the best: none of them is worth more.
        values = {code: min(look.values[code], look.value) for code in look.codes}
        scores = self.shares.of_moves(position, leaf, values, self._is_sure)
        per_move = []
        for code in look.codes:
            move = pv[0] if code == look.best else position._decode(code)
            line = pv if code == look.best else (move,)
            per_move.append(MoveValue(move, scores[code], look.visits[code], line, self._proven(values[code])))
        best = per_move[0]
        return Thought(best.move, best.score, look.depth, look.nodes, pv, best.proven, tuple(per_move), seconds)

    def _variation(self, position: Position[Any], look: SearchResult) -> tuple[tuple[Move, ...], Position[Any]]:
        """The best line as far as the table remembers it, and the position at its end."""
        line = [position._decode(look.best)]
        here = position.play(line[0])
        while len(line) < look.depth and not here.is_over and here.to_act[0] >= 0:
            code = self.search.remembered(here._row)
            if code not in here._codes():
                break
            line.append(here._decode(code))
            here = here.play(line[-1])
        return tuple(line), here

    @property
    def _is_sure(self) -> bool:
        """Whether a win that is found holds against anything the others can do together."""
        return self.game.seats == 2 or self.search.style == "paranoid"

    def _proven(self, value: int) -> Proven:
        # A coalition that cannot hold out proves a win; that it could beat one seat proves nothing.
        if value >= PROVEN and self._is_sure:
            return Proven.WIN
        return Proven.LOSS if value <= -PROVEN and self.game.seats == 2 else Proven.OPEN

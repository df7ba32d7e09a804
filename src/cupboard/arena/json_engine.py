"""The engine protocol as JSON lines: one request on a line, one answer on a line, in the same order (docs/engine.md).

{"id": 1, "moves": ["lot-A", "5-6"], "nodes": 20000}
{"id": 1, "seat": "B", "move": "10-9", "score": 0.52, …, "moves": [{"move": "10-9", "value": 0.52, …}, …]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from cupboard.arena.engine import BadCommand, read_position
from cupboard.arena.thinkers import TimedSearch, find_thinker, warm_up_thinker
from cupboard.core.errors import BadTurn, CupboardError, GameOver
from cupboard.core.game import CHANCE, Game, Position, Seat, letter
from cupboard.players.thinking import Limits, MoveValue, Proven

__all__ = ["AnalysisRequest", "JsonEngine"]


class AnalysisRequest(msgspec.Struct, forbid_unknown_fields=True):
    """One request for an analysis: a position, who thinks about it, and for how long."""

    id: int | str | None = None
    position: str = ""
    """In one line, as `Game.read` takes it; empty for the start of the game."""
    past: list[int] = []
    """The history that the position remembers, as `Position.to_json` writes it."""
    moves: list[str] = []
    """Moves made from that position, those of chance included; the prefix `B:` says whose move it is."""
    seat: str = ""
    """The letter of the seat to think for; needed only where several seats act at once."""
    player: str = ""
    seed: int = 0
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    most: int = 20
    """How many moves to list in the answer, the best first; 0 for all."""


class JsonEngine:
    """Answers analysis requests about one game; `player` thinks where a request names none."""

    def __init__(self, game: Game[Any], player: str = "", seed: int = 0) -> None:
        self._game = game
        self._player = player
        self._seed = seed
        self._warm: set[str] = set()
        if player:
            find_thinker(game, player)

    def run(self, lines: Iterable[str], say: Callable[[str], None]) -> None:
        """Answer every line that is not empty, by calling `say` with one line of JSON."""
        for line in lines:
            if line.strip():
                say(json.dumps(self.answer(line), ensure_ascii=False))

    def answer(self, line: str) -> dict[str, object]:
        """The answer to one line of JSON. A bad line gets an error with a code and a sentence, never an exception."""
        request_id: object = None
        try:
            try:
                raw = msgspec.json.decode(line)
                request_id = raw.get("id") if isinstance(raw, dict) else None
                request = msgspec.convert(raw, AnalysisRequest)
            except (msgspec.DecodeError, RecursionError) as error:
                raise BadCommand(f"The request cannot be read: {error}.") from error
            return {"id": request.id, **self._think(request)}
        except CupboardError as error:
            code, message = error.code, str(error)
        except Exception as error:  # a broken player or game must not end the session
            code, message = CupboardError.code, f"{type(error).__name__}: {str(error)[:200]}"
        return {"id": request_id, "error": {"code": code, "message": message}}

    def _think(self, request: AnalysisRequest) -> dict[str, object]:
        limits = _limits(request)
        position = self._position(request)
        seat = _seat(request.seat, position)
        name = request.player or self._player
        if name not in self._warm:
            warm_up_thinker(self._game, name)
            self._warm.add(name)
        thinker = find_thinker(self._game, name, request.seed or self._seed)
        thought, fault = TimedSearch(thinker, limits, all_moves=True).answer(position.seen_by(seat))
        if fault is not None:
            raise fault
        values = thought.per_move or (MoveValue(thought.move, thought.score, 0, thought.pv, thought.proven),)
        return {
            "seat": letter(seat),
            "move": str(thought.move),
            "score": thought.score,
            "proven": _proven(thought.proven),
            "depth": thought.depth,
            "nodes": thought.nodes,
            "seconds": round(thought.seconds, 4),
            "pv": [str(move) for move in thought.pv],
            "moves": [
                {
                    "move": str(value.move),
                    "value": value.score,
                    "visits": value.visits,
                    "pv": [str(move) for move in value.pv],
                    "proven": _proven(value.proven),
                }
                for value in (values[: request.most] if request.most > 0 else values)
            ],
        }

    def _position(self, request: AnalysisRequest) -> Position[Any]:
        past = f" past {' '.join(map(str, request.past))}" if request.past else ""
        start = f"text {request.position}{past}" if request.position else "start"
        if not request.position and request.past:
            raise BadCommand("A past belongs to a position.")
        moves = f" moves {' '.join(request.moves)}" if request.moves else ""
        return read_position(self._game, start + moves)[0]


def _limits(request: AnalysisRequest) -> Limits:
    for name in ("seconds", "nodes", "depth"):
        value = getattr(request, name)
        if value is not None and not 0 < value < 1e12:
            raise BadCommand(f"{name} must be a number above 0.")
    limits = Limits(request.seconds, request.nodes, request.depth)
    return Limits(seconds=1.0) if limits.is_endless else limits


def _seat(text: str, position: Position[Any]) -> Seat:
    acting = position.to_act
    if not acting:
        raise GameOver("The game is over: there is nothing to think about.")
    if acting == (CHANCE,):
        raise BadTurn("Nature acts now: add its move to the moves.")
    if not text:
        return acting[0]
    for seat in acting:
        if text == letter(seat):
            return seat
    raise BadTurn(f"{text[:20]!r} is not to act: it is {letter(acting[0])}'s turn.")


def _proven(proven: Proven) -> str | None:
    return proven.value if proven else None

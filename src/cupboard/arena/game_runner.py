"""Playing one game of a tournament, from its fixture to its result. Runs in a worker process, here or elsewhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter
from typing import Any

from cupboard.arena.entrants import Entrant
from cupboard.arena.external_engine import GRACE_SECONDS, PATIENCE_SECONDS, START_SECONDS, ExternalEngine
from cupboard.arena.schedule import Fixture
from cupboard.core.game import CHANCE, Game, Seat, letter
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.players import Player
from cupboard.players.safe import Guard, PlayerFault
from cupboard.players.thinking import Limits

__all__ = ["GameResult", "play_fixture"]

_warm: set[tuple[str, Game[Any]]] = set()


@dataclass(frozen=True)
class GameResult:
    """The result of one game of a tournament."""

    id: str
    set: int
    labels: tuple[str, ...]
    """The names of the players in seat 0, 1, …"""
    scores: tuple[float, ...]
    """Each seat's share of the point."""
    end: str
    """Why the game ended, as in `Outcome.reason`; `forfeit`; or `longest` for a draw at the limit of moves."""
    moves: int
    seconds: tuple[float, ...]
    """The total thinking time of each seat."""
    counts: tuple[int, ...]
    """How many moves each seat made."""
    forfeit: int | None = None
    """The seat that lost because it made no legal move in time, or None."""
    fault: str = ""
    """A sentence about the forfeit, or nothing."""
    record: str = ""
    """The text of the game's Record."""

    def to_json(self) -> dict[str, object]:
        """The result as plain data, without the record, which has a file of its own."""
        data = asdict(self)
        del data["record"]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> GameResult:
        """The result that `to_json` wrote, with an empty record."""
        lists = {name: tuple(data[name]) for name in ("labels", "scores", "seconds", "counts")}
        return cls(**{**data, **lists})


def play_fixture(fixture: Fixture) -> GameResult:
    """Play the game to its end. A player that fails forfeits; only an entrant that does not exist is an error."""
    runner = _GameRunner(fixture)
    try:
        fault = runner.play()
    finally:
        runner.release_programs()
    return runner.result(fault)


class _GameRunner:
    """One game under way: the match, its players, and what each seat has spent."""

    def __init__(self, fixture: Fixture) -> None:
        self._fixture = fixture
        self._match = Match(fixture.game, fixture.labels)
        self._players: list[Player] = []
        seats = fixture.game.seats
        self._seconds = [0.0] * seats
        self._counts = [0] * seats

    def play(self) -> tuple[Seat, PlayerFault] | None:
        """Play until the game is over or too long. Returns the seat that failed and why, or None."""
        guards: list[Guard] = []
        for seat, entrant in enumerate(self._fixture.entrants):
            try:
                guards.append(self._make_guard(entrant, self._fixture.seeds[seat]))
            except PlayerFault as fault:
                return seat, fault
        rng = Random(self._fixture.seed)
        match = self._match
        self._play_opening(rng)
        while not match.position.is_over and sum(self._counts) < self._fixture.longest:
            if match.position.to_act == (CHANCE,):
                match.settle(rng)
                continue
            seat = match.position.to_act[0]
            began = perf_counter()
            try:
                move = guards[seat].choose(match.position.seen_by(seat))
            except PlayerFault as fault:
                return seat, fault
            finally:
                self._seconds[seat] += perf_counter() - began
                self._counts[seat] += 1
            match.play(move, seat)
        return None

    def _play_opening(self, rng: Random) -> None:
        """Make the random moves that begin the game."""
        for _ in range(self._fixture.opening):
            self._match.settle(rng)
            if not self._match.position.is_over:
                seat = self._match.position.to_act[0]
                self._match.play(rng.choice(self._match.position.moves(seat)), seat)

    def _make_guard(self, entrant: Entrant, seed: int) -> Guard:
        game, limits = self._fixture.game, entrant.within(self._fixture.limits)
        if not entrant.command and (entrant.text, game) not in _warm:
            _warm_up(entrant, game)
            _warm.add((entrant.text, game))
        player = entrant.make(game, seed, self._fixture.limits)
        self._players.append(player)
        # A program watches its own time; the guard only catches what it cannot (a pipe nobody reads).
        grace = GRACE_SECONDS * (3 if entrant.command else 1)
        hard = (PATIENCE_SECONDS if limits.seconds is None else limits.seconds) + grace
        return Guard(player, hard, None if limits.is_endless else limits)

    def release_programs(self) -> None:
        """Return external programs to the idle ones, for the next game."""
        for player in self._players:
            if isinstance(player, ExternalEngine):
                player.release()

    def result(self, failed: tuple[Seat, PlayerFault] | None) -> GameResult:
        """The result: by the rules, by forfeit if `failed`, or a draw if the game was too long."""
        match, fixture = self._match, self._fixture
        seats = fixture.game.seats
        outcome = match.position.outcome()
        tags = {"Event": f"arena {fixture.id}", "Nature": str(fixture.seed)}
        if failed is not None:
            seat, fault = failed
            tags["Forfeit"] = f"{letter(seat)} {fault.kind}: {' '.join(str(fault).split())}"
            scores = tuple(0.0 if other == seat else 1 / (seats - 1) for other in range(seats))
            end = "forfeit"
        elif outcome is None:
            scores, end = (1 / seats,) * seats, "longest"
        else:
            scores, end = outcome.scores, outcome.reason
        return GameResult(
            id=fixture.id,
            set=fixture.set,
            labels=fixture.labels,
            scores=scores,
            end=end,
            moves=sum(self._counts),
            seconds=tuple(round(spent, 4) for spent in self._seconds),
            counts=tuple(self._counts),
            forfeit=None if failed is None else failed[0],
            fault="" if failed is None else str(failed[1]),
            record=str(Record.of(match, **tags)),
        )


def _warm_up(entrant: Entrant, game: Game[Any]) -> None:
    """Make one small search with a throw-away player, so that nothing is compiled within a move's time limit."""
    match = Match(game)
    match.settle(Random(0))
    if match.position.is_over:
        return
    view = match.position.seen_by(match.position.to_act[0])
    Guard(entrant.make(game, 0, Limits()), START_SECONDS * 5, Limits(nodes=1)).choose(view)

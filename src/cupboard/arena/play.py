"""One game of an arena, played from its fixture to a result. Runs in a worker, here or on another machine."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from time import perf_counter
from typing import Any

from cupboard.arena.entrants import Chooser, Entrant
from cupboard.arena.external import GRACE_SECONDS, PATIENCE_SECONDS, START_SECONDS, ExternalEngine
from cupboard.arena.schedule import Fixture
from cupboard.core.game import CHANCE, Game, Seat, letter
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.players.safe import Guard, PlayerFault
from cupboard.players.thinking import Limits

__all__ = ["Played", "play_fixture"]

_warm: set[tuple[str, Game[Any]]] = set()


@dataclass(frozen=True)
class Played:
    """The result of one game."""

    id: str
    set: int
    labels: tuple[str, ...]
    """Who sat on seat 0, 1, …"""
    scores: tuple[float, ...]
    """Each seat's share of the point."""
    end: str
    """The game's reason to end; `forfeit`, or `longest` for a game called even."""
    moves: int
    seconds: tuple[float, ...]
    """What each seat has thought in all."""
    counts: tuple[int, ...]
    """Moves of each seat."""
    forfeit: int | None = None
    """The seat that gave no legal move in time."""
    fault: str = ""
    """Why, as a sentence."""
    record: str = ""
    """The game as text."""

    def to_json(self) -> dict[str, object]:
        """As plain data; the record is kept in a file of its own."""
        data = asdict(self)
        del data["record"]
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Played:
        """What `to_json` wrote."""
        lists = {name: tuple(data[name]) for name in ("labels", "scores", "seconds", "counts")}
        return cls(**{**data, **lists})


def play_fixture(fixture: Fixture) -> Played:
    """The game, to its end. A player that fails forfeits; only an entrant that does not exist is an error."""
    table = _Table(fixture)
    try:
        fault = table.play()
    finally:
        table.leave()
    return table.result(fault)


class _Table:
    def __init__(self, fixture: Fixture) -> None:
        self._fixture = fixture
        self._match = Match(fixture.game, fixture.labels)
        self._players: list[Chooser] = []
        seats = fixture.game.seats
        self._seconds = [0.0] * seats
        self._counts = [0] * seats

    def play(self) -> tuple[Seat, PlayerFault] | None:
        """Play until the end, or until somebody fails."""
        guards: list[Guard] = []
        for seat, entrant in enumerate(self._fixture.entrants):
            try:
                guards.append(self._sit_down(entrant, self._fixture.seeds[seat]))
            except PlayerFault as fault:
                return seat, fault
        rng = Random(self._fixture.seed)
        match = self._match
        self._open(rng)
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

    def _open(self, rng: Random) -> None:
        """The moves that are made for the players."""
        for _ in range(self._fixture.opening):
            self._match.settle(rng)
            if not self._match.position.is_over:
                seat = self._match.position.to_act[0]
                self._match.play(rng.choice(self._match.position.moves(seat)), seat)

    def _sit_down(self, entrant: Entrant, seed: int) -> Guard:
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

    def leave(self) -> None:
        """Give programs back for the next game."""
        for player in self._players:
            if isinstance(player, ExternalEngine):
                player.release()

    def result(self, failed: tuple[Seat, PlayerFault] | None) -> Played:
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
        return Played(
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
    """Let another player of the kind move once without a clock: the first search of a process may be compiled first."""
    match = Match(game)
    match.settle(Random(0))
    if match.position.is_over:
        return
    view = match.position.seen_by(match.position.to_act[0])
    Guard(entrant.make(game, 0, Limits()), START_SECONDS * 5, Limits(nodes=1)).choose(view)

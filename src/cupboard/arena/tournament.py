"""Running a tournament: games go to a worker pool, results come back in any order, and each counts exactly once.

When a worker dies, its games are played again; a game whose worker has died three times ends the tournament with an
error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait

from cupboard.arena.game_runner import GameResult
from cupboard.arena.schedule import Fixture, Schedule
from cupboard.arena.worker_pool import ArenaFailed, WorkerPool
from cupboard.core.errors import CupboardError

__all__ = ["run_tournament"]

_TRIES = 3


def run_tournament(
    schedule: Schedule,
    pool: WorkerPool,
    done: dict[str, GameResult],
    keep: Callable[[GameResult], object],
    enough: Callable[[], bool] = lambda: False,
) -> None:
    """Play every game of the schedule that is not in `done`; call `keep` with each result as it comes.

    Stops early when `enough()` is true. Only twice as many games as workers are queued, so stopping wastes little.
    """
    waiting = (fixture for fixture in schedule.fixtures() if fixture.id not in done)
    again: list[Fixture] = []
    failures: Counter[str] = Counter()
    running: dict[Future[GameResult], Fixture] = {}
    window = 2 * pool.workers
    while not enough():
        while len(running) < window and (fixture := again.pop() if again else next(waiting, None)) is not None:
            running[pool.submit(fixture)] = fixture
        if not running:
            return
        finished, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in finished:
            fixture = running.pop(future)
            try:
                result = future.result()
            except CupboardError:
                raise
            except (Exception, CancelledError) as error:
                failures[fixture.id] += 1
                if failures[fixture.id] >= _TRIES:
                    why = f"{type(error).__name__}: {str(error)[:200]}"
                    raise ArenaFailed(f"Game {fixture.id} was given up after {_TRIES} tries: {why}") from error
                again.append(fixture)
            else:
                # Outside the try: a result that cannot be kept is no fault of the game, and a retry would double it.
                keep(result)

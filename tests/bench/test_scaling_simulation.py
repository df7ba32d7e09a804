"""The simulation of many tables: it repeats itself, agrees with the theory of queues, and knows what is full."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from bench.scaling_simulation import FULL, Clock, Deployment, Disk, Units, full_at, most_tables, simulate

ALONE = Deployment("one server, SQLite", 1, 0)
TOGETHER = Deployment("three servers", 3, 2)


def test_the_same_seed_gives_the_same_numbers_and_another_one_others() -> None:
    first = simulate(TOGETHER, 10_000, Units(), seed=1, moves=2000)
    assert first == simulate(TOGETHER, 10_000, Units(), seed=1, moves=2000)
    assert first != simulate(TOGETHER, 10_000, Units(), seed=2, moves=2000)


def test_waits_are_those_of_a_queue_with_one_counter() -> None:
    """With exponential times the time in the queue and at the counter is exponential: its mean is 1 / (mu - lambda)."""
    units = Units(sqlite=1.0, variation=1.0, think=10.0)
    found = simulate(ALONE, 5000, units, moves=100_000)  # the counter is busy half of the time
    assert found.server == pytest.approx(0.5, rel=0.05)
    assert found.p50 == pytest.approx(2 * 0.693, rel=0.1)
    assert found.p99 == pytest.approx(2 * 4.605, rel=0.15)


def test_all_commits_that_wait_share_one_write() -> None:
    clock = Clock()
    disk = Disk(clock, flush=2.0)
    done: list[float] = []
    for n in range(100):
        clock.after(n / 100, lambda: disk.commit(lambda: done.append(clock.now)))
    clock.run()
    assert disk.writes == 2 and done == [2.0] + [4.0] * 99


def test_what_is_carried_keeps_the_promise_and_twice_as_much_does_not() -> None:
    units = Units()
    most = most_tables(TOGETHER, units)
    assert most <= FULL * full_at(TOGETHER, units)
    assert simulate(TOGETHER, most, units).p99 <= 100
    assert simulate(TOGETHER, 2 * most, units).p99 > 100


def test_a_second_server_carries_twice_as_much_until_the_database_is_full() -> None:
    units = Units(apart=0.0)
    one, two, many = (full_at(Deployment("", servers, 2), units) for servers in (1, 2, 100))
    assert two == 2 * one
    assert many == full_at(Deployment("", 200, 2), units) == pytest.approx(2 / units.database * 1000 * units.think)

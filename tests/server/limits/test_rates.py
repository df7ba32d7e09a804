"""Rate limits by themselves, with a clock that the test turns."""

from __future__ import annotations

from typing import get_args

import pytest

from cupboard.core.words import catalogue
from cupboard.server.errors import TooMany
from cupboard.server.http.visitor import address_of
from cupboard.server.limits.rates import HOME, SCHOOL, Backoff, ByPerson, RateLimits, rates_of
from cupboard.server.settings import Limited, LimitSettings, Rate


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def spent(limits: RateLimits, what: Limited, place: str, tries: int = 10_000) -> int:
    """How often it was allowed before it was refused."""
    for n in range(tries):
        try:
            limits.spend(what, place)
        except TooMany:
            return n
    return tries


@pytest.mark.parametrize("what", HOME)
def test_so_many_at_once_and_then_one_at_a_time(what: Limited, clock: Clock) -> None:
    most, pause = HOME[what]
    limits = RateLimits(clock=clock)
    assert spent(limits, what, "here") == most
    clock.now += 0.9 * pause
    assert spent(limits, what, "here") == 0, "not yet"
    clock.now += 0.2 * pause
    assert spent(limits, what, "here") == 1
    clock.now += 3.05 * pause
    assert spent(limits, what, "here") == 3


@pytest.mark.parametrize("what", HOME)
def test_a_bucket_never_holds_more_than_its_most(what: Limited, clock: Clock) -> None:
    limits = RateLimits(clock=clock)
    spent(limits, what, "here")
    clock.now += 1e6
    assert spent(limits, what, "here") == HOME[what][0]


def test_being_refused_costs_nothing_and_says_how_long_to_wait(clock: Clock) -> None:
    limits = RateLimits(clock=clock)
    spent(limits, "tables", "here")
    for _ in range(5):
        with pytest.raises(TooMany, match="wait 6 seconds"):
            limits.spend("tables", "here")
    clock.now += 3
    with pytest.raises(TooMany, match="wait 3 seconds"):
        limits.spend("tables", "here")
    clock.now += 3.01
    limits.spend("tables", "here")


def test_what_costs_several_waits_for_several(clock: Clock) -> None:
    limits = RateLimits(clock=clock)
    most, pause = HOME["messages"]
    assert most >= 60
    for _ in range(most // 20):
        limits.spend("messages", "me", 20)
    with pytest.raises(TooMany):
        limits.spend("messages", "me", 20)
    clock.now += 20 * pause
    limits.spend("messages", "me", 20)


def test_places_and_things_do_not_share_a_bucket(clock: Clock) -> None:
    limits = RateLimits(clock=clock)
    spent(limits, "links", "here")
    assert spent(limits, "links", "there") == HOME["links"][0]
    assert spent(limits, "tables", "here") == HOME["tables"][0]


def test_what_is_given_back_may_be_spent_again_and_never_more_than_that(clock: Clock) -> None:
    limits = RateLimits(clock=clock)
    spent(limits, "sign-ins", "here")
    limits.give_back("sign-ins", "here")
    assert spent(limits, "sign-ins", "here") == 1
    for _ in range(500):
        limits.give_back("sign-ins", "here")
    assert spent(limits, "sign-ins", "here") == HOME["sign-ins"][0]


def test_a_forgotten_bucket_is_full(clock: Clock) -> None:
    limits = RateLimits(clock=clock)
    spent(limits, "messages", "me")
    limits.forget("messages", "me")
    assert spent(limits, "messages", "me") == HOME["messages"][0]


def test_the_memory_of_places_is_bounded(clock: Clock) -> None:
    limits, backoff = RateLimits(clock=clock), Backoff(clock=clock)
    for n in range(50_000):
        limits.spend("guests", n)
        backoff.failed(n)
    assert len(limits._buckets) <= 20_000 and len(backoff._failures) <= 20_000
    spent(limits, "guests", "latest")
    limits.spend("guests", "another")
    assert spent(limits, "guests", "latest") == 0, "the latest is not the one that is forgotten"


def test_without_limits_nothing_is_refused() -> None:
    limits, backoff = RateLimits(enabled=False), Backoff(enabled=False)
    assert spent(limits, "tables", "here", 1000) == 1000
    for _ in range(20):
        backoff.failed("here")
    assert backoff.wait("here") == 0


def test_whoever_hammers_is_stopped_before_the_rest_of_the_address(clock: Clock) -> None:
    limits = RateLimits(clock=clock)

    def asked(person: str | None, tries: int) -> int:
        for n in range(tries):
            try:
                limits.spend_for("tables", person, "school")
            except TooMany as error:
                assert error.seconds >= 1
                return n
        return tries

    assert asked("hammers", 5000) == HOME["tables"][0]
    assert [asked(f"child {n}", 3) for n in range(25)] == [3] * 25, "refusals cost the address nothing"
    assert asked(None, 5000) == HOME["address-tables"][0], "those without a session share a bucket"
    assert asked("late", 3) == 3, "which is not the one of people"
    assert sum(asked(f"made up {n}", 30) for n in range(100)) < HOME["address-tables"][0], "nor do many people help"
    assert asked("late", 3) == 0
    limits.give_back_for("tables", "late", "school", 2)
    assert asked("late", 3) == 2


def test_what_costs_more_than_a_bucket_holds_is_done_when_it_is_full(clock: Clock) -> None:
    limits = RateLimits(clock=clock, rates=HOME | {"boards": (2, 10.0)})
    limits.spend("boards", "me", 100)
    with pytest.raises(TooMany, match="wait 20 seconds"):
        limits.spend("boards", "me", 100)
    clock.now += 20
    limits.spend("boards", "me", 100)


def test_a_profile_and_what_the_settings_say_besides() -> None:
    assert rates_of(LimitSettings()) == HOME and rates_of(LimitSettings(profile="school")) == SCHOOL
    settings = LimitSettings(profile="school", rates={"tables": Rate(at_once=5, every=2.0)})
    assert rates_of(settings) == SCHOOL | {"tables": (5, 2.0)}
    assert (settings.most_connections, LimitSettings(connections=9).most_connections) == (512, 9)


@pytest.mark.parametrize("what", get_args(ByPerson))
def test_an_address_may_do_what_several_people_may_and_a_school_more(what: ByPerson) -> None:
    address: Limited = f"address-{what}"  # type: ignore[assignment]
    assert HOME[address][0] >= 3 * HOME[what][0] and HOME[address][1] < HOME[what][1]
    assert SCHOOL[address][0] > HOME[address][0] and SCHOOL[address][1] < HOME[address][1]
    assert SCHOOL[what] == HOME[what]


def test_every_limit_has_its_rates_in_both_profiles() -> None:
    assert set(HOME) == set(SCHOOL) == set(get_args(Limited))


def test_every_limit_has_its_sentence() -> None:
    assert {f"many.{what}" for what in HOME} == {key for key in catalogue("en") if key.startswith("many.")}


def test_who_keeps_failing_waits_twice_as_long_each_time_and_never_longer_than_eight_seconds(clock: Clock) -> None:
    backoff = Backoff(clock=clock)
    waits = []
    for _ in range(40):
        waits.append(backoff.wait("here"))
        backoff.failed("here")
    assert waits[:10] == [0, 0, 0, 0, 0.5, 1, 2, 4, 8, 8] and set(waits[10:]) == {8}
    assert backoff.wait("there") == 0
    backoff.succeeded("here")
    assert backoff.wait("here") == 0


def test_failures_are_forgiven_after_a_quarter_of_an_hour(clock: Clock) -> None:
    backoff = Backoff(clock=clock)
    for _ in range(10):
        backoff.failed("here")
    clock.now += 899
    assert backoff.wait("here") == 8
    clock.now += 2
    assert backoff.wait("here") == 0
    backoff.failed("here")
    assert backoff.wait("here") == 0, "and counted from one again"


@pytest.mark.parametrize(
    ("client", "place"),
    [
        (("192.0.2.7", 1), "192.0.2.7"),
        (("::ffff:192.0.2.7", 1), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 1), "2001:db8:1:2::"),
        (("2001:db8:1:2::9", 1), "2001:db8:1:2::"),
        (("2001:db8:1:3::9", 1), "2001:db8:1:3::"),
        (("fe80::1%eth0", 1), "fe80::"),
        (None, ""),
    ],
)
def test_a_household_is_one_place(client: tuple[str, int] | None, place: str) -> None:
    """With IPv6 everybody has more addresses than a server can count."""
    assert address_of({"client": client}) == place

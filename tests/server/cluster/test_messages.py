"""What servers tell each other fits into PostgreSQL's messages, and what they make of it."""

from __future__ import annotations

from cupboard.server.cluster.acquaintance import Acquaintance
from cupboard.server.cluster.messages import Grown, Opened, Present, Spent, pack, unpack


def test_messages_go_together_and_no_text_is_longer_than_it_may_be() -> None:
    messages = [Grown(f"table{n}", n) for n in range(200)] + [Spent("chat", ("strangers", "ö" * 30), 1.0)]
    texts = list(pack("me", messages, 500))
    assert 1 < len(texts) < 40 and max(len(text.encode()) for text in texts) <= 500
    batches = [unpack(text) for text in texts]
    assert [message for batch in batches if batch for message in batch.messages] == messages


def test_a_message_that_is_too_long_for_any_text_is_left_out() -> None:
    (text,) = pack("me", [Grown("a", 1), Grown("b" * 600, 1), Grown("c", 1)], 500)
    batch = unpack(text)
    assert batch is not None and batch.messages == (Grown("a", 1), Grown("c", 1))


def test_what_another_version_says_is_passed_over() -> None:
    assert unpack('["other",[["weather","fine"]]]') is None
    assert unpack("nonsense") is None


def test_who_is_connected_elsewhere_is_known_until_they_leave_or_their_server_ends() -> None:
    others = Acquaintance()
    others.opened("one", ("t", "u"), False)
    others.opened("two", ("t",), False)
    others.present("one", "t", frozenset({0}), 1)
    others.present("two", "t", frozenset({1}), 2)
    assert (others.seats_at("t"), others.watching_at("t")) == (frozenset({0, 1}), 3)
    others.present("one", "t", frozenset(), 1)
    assert (others.seats_at("t"), others.watching_at("t")) == (frozenset({1}), 3)
    assert others.gone("two") == ["t"]
    assert (others.seats_at("t"), others.watching_at("t"), others.has_open("t")) == (frozenset(), 1, True)
    others.opened("one", ("u",), True)  # all it has: the other table is closed, which it had no chance to tell
    assert not others.has_open("t") and not others.has_clients("t") and others.has_open("u")


def test_messages_are_the_same_after_they_were_told() -> None:
    (text,) = pack("me", [Opened(("a", "b"), True), Present("a", (0, 2), 1)], 500)
    batch = unpack(text)
    assert batch is not None
    assert (batch.server, batch.messages) == ("me", (Opened(("a", "b"), True), Present("a", (0, 2), 1)))

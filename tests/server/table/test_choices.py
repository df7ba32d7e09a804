"""What a client is told of a legal move: how to enter it, and where its piece lands on its way."""

from __future__ import annotations

from cupboard.core.registry import load
from cupboard.games.cup_king.moves import Play
from cupboard.server.table.scenes import choice, encoded_choice


def test_a_chain_tells_the_landings_between_its_ends_and_nothing_twice() -> None:
    star = load("chinese-checkers", seats=2).start()
    for text in ("c3-e7", "n4-m8", "e7-e6", "m8-n4"):
        star = star.play(star.parse(text))
    chain, step = choice(star.parse("a1-e5")), choice(star.parse("d1-e5"))
    assert (chain.spots, chain.via) == (("a1", "e5"), ("c3", "e7"))
    assert (step.spots, step.via) == (("d1", "e5"), ())
    assert b"via" not in bytes(encoded_choice(star.parse("d1-e5")))


def test_a_cup_that_must_move_on_tells_where_it_lands() -> None:
    track = load("jumping-cups").read("R/R/R/./././././R/RY/Y/Y/Y/Y A 0")
    told = {move.text: move.via for move in map(choice, track.moves())}
    assert told["9-10-13"] == ("10",)
    assert [text for text, via in told.items() if via] == ["9-10-13"]


def test_cards_that_are_played_together_do_not_travel() -> None:
    told = choice(Play(0, ("R3", "R5", "R7")))
    assert len(told.spots) == 4 and not told.via

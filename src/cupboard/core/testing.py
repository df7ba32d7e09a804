"""check_game: what must hold for every game, tried out by playing it.

A new game passes this before anything else is asked of it. Each function below states one promise of the protocol
and raises AssertionError when the game breaks it.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Sequence
from random import Random
from typing import Any
from xml.etree import ElementTree

from cupboard.core.errors import BadTurn, CupboardError, GameOver
from cupboard.core.filling import MOST_LISTED
from cupboard.core.game import CHANCE, Game, Move, Position, Seat, View
from cupboard.core.match import Match
from cupboard.core.record import Record
from cupboard.core.scene import Scene
from cupboard.core.scene_text import draw
from cupboard.core.svg import svg
from cupboard.core.testing_doors import check_doors, check_typing
from cupboard.core.testing_games import by_lot
from cupboard.core.testing_lessons import check_lessons
from cupboard.core.testing_rulebook import check_explained, check_rulebook
from cupboard.core.testing_scenes import Screens, check_pointing, check_route
from cupboard.core.words import Value, Words, catalogue, phrase

_SAMPLE = 12
"""How many moves of a position are tried: all of them would take too long on a large board."""


def check_game(game: Game[Any], matches: int = 3, seed: int = 0, longest: int = 20_000) -> None:
    """Play `matches` random matches and hold the game to every promise on the way."""
    rng = Random(seed)
    check_itself(game)
    check_lessons(type(game))
    check_rulebook(type(game))
    hides = acts = False
    for _ in range(matches):
        match = Match(game)
        looks, screens = _look_at(rng), Screens()
        while not match.position.is_over:
            assert len(match.log) < longest, f"no end after {longest} moves"
            position = match.position
            # Every position of a short game and the odd one of a long game gets the full treatment.
            if len(match.log) in looks:
                check_position(position, rng)
                screens.show(position)
                hides = hides or hides_something(position)
            acts = acts or (CHANCE in position.to_act and position.ply > 0)
            seat, move = by_lot(position, rng)
            match.play(move, seat)
        check_end(match)
        check_log(match)
    assert hides == game.has_secrets, f"has_secrets is {game.has_secrets}, but views {'do' if hides else 'do not'} hide"
    assert acts == game.has_chance, f"has_chance is {game.has_chance}, but nature {'acts' if acts else 'never acts'}"


def _look_at(rng: Random) -> set[int]:
    return {
        *range(12),
        *(rng.randrange(12, 60) for _ in range(12)),
        *(rng.randrange(60, 600) for _ in range(12)),
    }


def check_itself(game: Game[Any]) -> None:
    """A game is equal to its copies, says how to get it again, and starts the same each time."""
    assert pickle.loads(pickle.dumps(game)) == game
    assert type(game)(game.seats, **game.chosen) == game
    assert game.start() == game.start()
    assert len(game.TINTS) >= game.seats
    check_names(game)


def check_names(game: Game[Any]) -> None:
    """The game, its seats, its colours and its options have words."""
    options = {option.name: option.choices for option in game.OPTIONS}
    if game.PROFILES:
        options["profile"] = tuple(game.PROFILES)
    for name, choices in options.items():
        for end in ("", *(f".{choice}" for choice in choices)):
            check_said(phrase(f"{game.name}.option.{name}{end}"))
    tints = (tint.words for tint in (*game.TINTS, *game.MORE_TINTS))
    for words in (game.title, game.blurb, *tints, *map(game.seat_name, range(game.seats))):
        check_said(words)


def check_position(position: Position[Any], rng: Random) -> None:
    """Everything that must hold for one position of a match."""
    assert (position.outcome() is None) == bool(position.to_act)
    check_copies(position)
    check_turns(position)
    for seat in position.to_act:
        moves = position.moves(seat)
        assert len(moves) > 0, f"{seat} is to act but has no move in {position}"
        sample = list(moves) if len(moves) <= _SAMPLE else [rng.choice(moves) for _ in range(_SAMPLE)]
        for move in sample:
            check_move(position, move, seat)
            check_route(position, move, seat)
        if seat != CHANCE:
            check_pointing(position, sample, seat, rng)
        check_veils(position, sample, seat)
        if len(moves) <= 3000:
            check_spots(position, list(moves))
    check_views(position, rng)
    check_doors(position, rng)


def check_copies(position: Position[Any]) -> None:
    """Copying, pickling, JSON and the one-line text lose nothing."""
    game = position.game
    assert copy.copy(position) == position == copy.deepcopy(position)
    assert pickle.loads(pickle.dumps(position)) == position
    data = json.loads(json.dumps(position.to_json()))
    assert game.from_json(data) == position, f"JSON loses something of {position}"
    text = str(position)
    again = game.read(text)
    assert str(again) == text and "\n" not in text
    assert again.to_act == position.to_act
    assert {again: 1}[game.read(text)] == 1


def check_turns(position: Position[Any]) -> None:
    """A seat that is not to act has no moves, and a try is refused with a sentence."""
    acting = position.to_act
    for seat in range(position.game.seats):
        if seat not in acting:
            assert len(position.moves(seat)) == 0
            try:
                position.play(position.moves()[0], seat)
            except BadTurn:
                continue
            raise AssertionError(f"{seat} may play out of turn in {position}")


def check_move(position: Position[Any], move: Move, seat: Seat) -> None:
    """A move's notation reads back as the same move, and playing it leaves the old position alone."""
    text = str(move)
    assert text and not any(c.isspace() for c in text), f"{text!r} holds a blank"
    assert position.parse(text, seat) == move, f"{text!r} reads back as another move"
    assert move in position.moves(seat)
    check_typing(position, move, seat)
    before = pickle.dumps(position)
    after = position.play(move, seat)
    assert pickle.dumps(position) == before, f"{text} changes the position it is played in"
    assert after == position.play(move, seat)
    assert after != position
    for seen in {move, move.seen_by(None)}:
        check_said(seen.words(position.game.seat_name).filled(who="Ada"))
        check_said(seen.warning)
        check_explained(type(position.game), seen.warning)


def check_spots(position: Position[Any], moves: Sequence[Move]) -> None:
    """Every move is a path of spots that the scene shows, and no path begins another."""
    paths = [move.spots() for move in moves]
    assert all(paths), "a move without spots cannot be entered"
    assert len(set(paths)) == len(paths), "two moves are entered alike"
    prefixes = {path[:n] for path in paths for n in range(1, len(path))}
    for path in paths:
        assert path not in prefixes, f"{path} is the beginning of another move"
    seat = position.to_act[0]
    shown = position.seen_by(None if seat == CHANCE else seat).scene().spots()
    missing = {spot for path in paths for spot in path} - shown
    assert seat == CHANCE or not missing, f"the scene shows no {sorted(missing)}"


def check_views(position: Position[Any], rng: Random) -> None:
    """A view offers its seat the true moves, and an imagined truth looks exactly like the view."""
    for seat in (None, *range(position.game.seats)):
        view = position.seen_by(seat)
        assert view == position.seen_by(seat)
        assert view.to_act == position.to_act
        moves = view.moves()
        assert len(moves) == (0 if seat is None else len(position.moves(seat)))
        assert all(move in position.moves(seat) for move in moves[:_SAMPLE])
        check_filling(view, rng)
        imagined = position.game.imagine(view, rng)
        same = imagined.seen_by(seat)
        assert same == view, f"imagined {imagined} does not look like {view}"
        assert str(same) == str(view) and same.scene() == view.scene()
        assert pickle.loads(pickle.dumps(view)) == view
        scene = view.scene()
        ElementTree.fromstring(svg(scene))
        assert draw(scene)
        check_words(scene)


def hides_something(position: Position[Any]) -> bool:
    """Whether somebody sees less than the whole truth."""
    seen = (position.seen_by(seat) for seat in (None, *range(position.game.seats)))
    return any(view.row.tobytes() != position.row.tobytes() for view in seen)


def check_words(scene: Scene) -> None:
    """Everything that is said is in the catalogue."""
    lines = [line for player in scene.players for line in (player.name, player.note, *map(phrase, player.counts))]
    texts: list[Value | None] = [scene.title, scene.status, *lines, *(cell.name for cell in scene.cells)]
    texts += [label.text for label in scene.labels] + [control.text for control in scene.controls]
    for text in texts:
        check_said(text)


def check_said(text: Value | None) -> None:
    """The words can be said, and nothing is left to fill in."""
    if isinstance(text, Words):
        assert text.key in catalogue("en"), f"no message is called {text.key}"
        for value in text.values if isinstance(text.values, tuple) else text.values.values():
            check_said(value)
        assert not re.search(r"\{\w+\}", str(text)), f"{text.key} is not filled: {text}"


def check_filling(view: View[Any], rng: Random) -> None:
    """Moves too many to list can be put together, from the suggestion or any other order, on places of the scene."""
    moves, filling = view.moves(), view.filling()
    assert filling is not None or len(moves) <= MOST_LISTED, f"{len(moves)} moves, and no way to put one together"
    if filling is None:
        return
    scene = view.scene()
    letters = [scene.tint(name).letter for name in filling.suggestion]
    for _ in range(3):
        assert view.parse(filling.text(letters), view.seat) in moves
        rng.shuffle(letters)
    assert {cell.spot for cell in scene.cells} >= set(filling.spots)
    assert len(filling.spots) == len(letters)


def check_veils(position: Position[Any], moves: Sequence[Move], seat: Seat) -> None:
    """Two moves that somebody cannot tell apart on the table cannot be told apart in the veiled log."""
    for watcher in (None, *range(position.game.seats)):
        if watcher == seat:
            assert all(move.seen_by(watcher) == move for move in moves)
            continue
        seen: dict[object, Move] = {}
        for move in moves:
            veiled = move.seen_by(watcher)
            view = position.play(move, seat).seen_by(watcher)
            assert seen.setdefault(view, veiled) == veiled, f"the log tells {watcher} more than the table: {move}"


def check_end(match: Match) -> None:
    """Over means an outcome, nothing to do, and one point shared out."""
    position = match.position
    outcome = position.outcome()
    assert outcome is not None and position.to_act == () and len(position.moves()) == 0
    assert abs(sum(outcome.scores) - 1) < 1e-9
    assert outcome.reason and str(outcome.sentence).endswith(".")
    check_said(outcome.sentence)
    check_explained(type(match.game), outcome.sentence)
    check_copies(position)
    try:
        position.play(match.log[-1].move)
    except GameOver:
        pass
    else:
        raise AssertionError("somebody may move after the end")
    for seat in (None, *range(match.game.seats)):
        ElementTree.fromstring(svg(position.seen_by(seat).scene()))


def check_log(match: Match) -> None:
    """The log replays to the same position; the record, as text and as JSON, is the same game."""
    again = Match.replay(match.game, [(entry.seat, entry.move) for entry in match.log])
    assert again.position == match.position and hash(again.position) == hash(match.position)
    record = Record.of(match, Date="2026-11-15")
    assert Record.read(str(record)) == record
    assert Record.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert record.replay().position == match.position
    for seat in (None, *range(match.game.seats)):
        assert [entry.n for entry in match.veiled(seat)] == list(range(len(match.log)))


def check_garbage(position: Position[Any], text: str) -> None:
    """Whatever is typed, the answer is a move or a sentence, and never another exception."""
    for read in (position.parse, position.game.read, position.game.read_move, Record.read):
        try:
            read(text)
        except CupboardError as error:
            assert len(str(error)) > 10
            check_said(error.words)

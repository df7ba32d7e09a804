"""Knowledge: what a game does not know is asked, never guessed, and only players that can be made are offered."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

import cupboard
from cupboard.arena.thinkers import find_thinker, thinkers_of
from cupboard.core.errors import CupboardError
from cupboard.core.game import Game
from cupboard.core.knowledge import Knowledge, knowledge_in
from cupboard.core.ladder import Baseline, FullSearch, Playouts, Rung, Skill, Thumb, Worlds
from cupboard.core.match import Match
from cupboard.core.registry import find, load, names
from cupboard.players import BASELINES, SEARCHES, make_player
from cupboard.players.levels import LEVELS, ladder_of, levels_of, limits_of, make_level, seated_at
from cupboard.players.needs import CannotPlay, can_play, why_not
from cupboard.players.safe import modest_move
from cupboard.players.tune import NoTuning, tune

SRC = Path(cupboard.__file__).parent
TABLES = [(name, seats) for name in names() for seats in find(name).SEATS]


def knowing(name: str, knowledge: Knowledge, **traits: bool) -> Game[Any]:
    """The game with other knowledge; its kind is one of its own, so that its traits may differ too."""
    kind = find(name)
    game: Game[Any] = type(kind.__name__, (kind,), {"__module__": kind.__module__, **traits})()
    vars(game)["knowledge"] = knowledge
    return game


def begun(game: Game[Any]) -> Any:
    match = Match(game)
    match.settle(Random(3))
    return match.position.seen_by(match.position.to_act[0])


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("player", [*BASELINES, *SEARCHES])
def test_who_can_play_is_made_and_who_cannot_says_why(name: str, player: str) -> None:
    game = load(name)
    if can_play(player, game):
        make_player(player, game, 1)
    else:
        with pytest.raises(CannotPlay, match=re.escape(why_not(player, game))) as refusal:
            make_player(player, game, 1)
        assert str(refusal.value).endswith(".") and str(game.title) in str(refusal.value)


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_every_level_that_is_offered_can_be_made_and_moves(name: str, seats: int) -> None:
    game = load(name, seats)
    view = begun(game)
    for level in levels_of(game):
        assert make_level(game, level, 1).choose(view) in view.moves()


@pytest.mark.parametrize(("name", "seats"), TABLES)
def test_a_ladder_climbs_through_the_names_there_are(name: str, seats: int) -> None:
    levels = levels_of(load(name, seats))
    assert list(levels) == [level for level in LEVELS if level in levels]
    rungs = load(name, seats).knowledge.ladders.get(seats, ())
    assert levels == tuple(rung.level for rung in rungs) or not rungs, "a rung of the ladder cannot be made"


@pytest.mark.parametrize("name", ["double-dutch", "cup-king"])
def test_a_game_that_knows_nothing_is_played_all_the_same(name: str) -> None:
    game = knowing(name, Knowledge())
    view = begun(game)
    fits = ["random"] if game.has_secrets else ["random", "uct"]
    assert [player for player in (*BASELINES, *SEARCHES) if can_play(player, game)] == fits
    assert levels_of(game) == (("sprout",) if game.has_secrets else ("sprout", "sapling"))
    for player in (*fits, *LEVELS):
        assert make_player(player, game, 1).choose(view) in view.moves()
    with pytest.raises(CannotPlay, match=r"Greedy cannot play .*: the game has no evaluation"):
        make_player("greedy", game, 1)
    with pytest.raises(NoTuning):
        tune(game, 2, 10, 1)
    assert modest_move(view) in view.moves()
    assert find_thinker(game).think(view).move in view.moves()
    assert set(thinkers_of(game)) == {*fits, *LEVELS}


@pytest.mark.parametrize(
    ("name", "kept", "traits", "kinds"),
    [
        ("double-dutch", ("evaluation", "lookahead"), {}, [Skill] * 6 + [FullSearch]),
        ("double-dutch", ("evaluation",), {}, [Baseline, Baseline]),
        ("double-dutch", ("lookahead",), {}, [Baseline, Playouts]),
        ("double-dutch", ("evaluation", "lookahead"), {"has_chance": True}, [Baseline, Baseline]),
        ("cup-king", ("evaluation", "marks", "planner"), {}, [Thumb] * 6 + [Worlds]),
        ("cup-king", ("marks", "planner"), {}, [Thumb] * 6),
        ("cup-king", ("evaluation",), {}, [Baseline, Baseline]),
    ],
)
def test_a_ladder_nobody_measured_is_made_of_what_the_game_knows(
    name: str, kept: tuple[str, ...], traits: dict[str, bool], kinds: list[type]
) -> None:
    knows = load(name).knowledge
    game = knowing(name, Knowledge(**{field: getattr(knows, field) for field in kept}), **traits)
    assert [type(player) for player in ladder_of(game).values()] == kinds
    assert levels_of(game)[0] == LEVELS[0]
    view = begun(game)
    for level in levels_of(game):
        assert make_level(game, level, 1).choose(view) in view.moves()


def test_a_rung_that_cannot_be_made_is_not_offered() -> None:
    ladder = (Rung("sprout", Baseline("random")), Rung("maple", Worlds(nodes=9)), Rung("oak", Playouts(nodes=50)))
    game = knowing("double-dutch", Knowledge(ladders={2: ladder}))
    assert levels_of(game) == ("sprout", "oak")
    assert seated_at(game, "maple") == Baseline("random")


def test_only_players_that_search_have_limits() -> None:
    assert limits_of(Thumb()) is None and limits_of(Baseline("greedy")) is None
    for player in (Skill(nodes=7), FullSearch(nodes=7), Worlds(nodes=7), Playouts(nodes=7)):
        limits = limits_of(player)
        assert limits is not None and limits.nodes == 7


def test_a_package_without_the_file_knows_nothing() -> None:
    assert knowledge_in("cupboard.players") == Knowledge()


def test_nothing_is_compiled_to_find_out_what_a_game_knows() -> None:
    code = (
        "import sys\n"
        "from cupboard.core.registry import load, names\n"
        "from cupboard.players.levels import levels_of\n"
        "from cupboard.arena.thinkers import thinkers_of\n"
        "for game in map(load, names()): levels_of(game), thinkers_of(game), game.has_secrets, game.has_chance\n"
        "loaded = [name for name in sys.modules if 'numba' in name or name.endswith(('.kernel', '.evaluate'))]\n"
        "assert not loaded, loaded[:5]\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_searches_refuse_dice() -> None:
    game = knowing("double-dutch", load("double-dutch").knowledge, has_chance=True)
    for player in ("alphabeta", "mcts", "uct"):
        with pytest.raises(CannotPlay, match="dice"):
            make_player(player, game, 1)
    assert make_player("greedy", game, 1).choose(begun(game))


@pytest.mark.parametrize("folder", ["players", "arena", "cli", "server"])
def test_no_game_is_named_and_nothing_is_guessed(folder: str) -> None:
    """What a game offers is asked of `game.knowledge`, `has_secrets` and `has_chance`."""
    games = "|".join(re.escape(word) for name in names() for word in (name, name.replace("-", "_")))
    modules = r"\.(evaluate|planning|oracle|fit|knowledge|levels)[\"']"
    for file in (SRC / folder).rglob("*.py"):
        code = file.read_text(encoding="utf-8")
        guesses = re.findall(rf"kernel_module|cupboard\.games\.\w+|hasattr\(game|signature\(|{modules}", code)
        assert not guesses, f"{file} guesses: {guesses}"
        if folder == "players":
            assert not re.findall(rf"\b({games})\b", code), f"{file} names a game"


def test_an_error_of_a_player_is_one_of_ours() -> None:
    assert issubclass(CannotPlay, CupboardError) and CannotPlay.code == "no-search"

"""The levels: a ladder for every game and number of seats, from a player that a child of eight beats to the strongest.

A game's measured ladders stand in its `levels.py`. Each rung should win about two games of three against the one below
it, and how many such steps fit between the first and the last differs from table to table: so some ladders leave names
out. bench/results.md has what was measured. A game without ladders of its own gets one made of what its knowledge
offers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cupboard.core.errors import UnknownPlayer
from cupboard.core.game import Game
from cupboard.core.ladder import Baseline, FullSearch, Playouts, Rung, Seated, Skill, Thumb, Worlds
from cupboard.core.player import Player
from cupboard.core.words import listed, phrase, quoted
from cupboard.players.needs import can_play
from cupboard.players.thinking import LEVEL_SECONDS, Limits

__all__ = [
    "ELO_OF_A_STEP", "LEVELS", "elo_of_levels", "ladder_of", "level_at", "level_names", "levels_of", "limits_of",
    "make_level", "make_seated", "rungs_of", "seated_at",
]  # fmt: skip

LEVELS = (
    "sprout", "seedling", "clover", "sapling", "hazel", "willow", "birch", "rowan", "maple", "ash", "oak", "cedar",
    "redwood", "sequoia",
)  # fmt: skip
"""The names of the levels, weakest first. A short ladder leaves some out, but never the first.

What a screen calls them and says of them is in the catalogue, under level.<name>."""

_KEPT = (
    "sprout", "sapling", "birch", "maple", "sequoia", "cedar", "seedling", "oak", "hazel", "redwood", "ash", "willow",
    "rowan", "clover",
)  # fmt: skip
"""The names in the order in which a growing ladder takes them: one of n rungs has the first n."""

ELO_OF_A_STEP = 120
"""How much stronger than the level below a level is that wins two games of three against it."""

_USUAL = (
    Skill(nodes=100, doubt=1.5, overlook=0.5, blind=0.4, whim=0.04, hunch=0.9),
    Skill(nodes=496, doubt=0.96, overlook=0.32, blind=0.256, whim=0.04, hunch=0.72),
    Skill(nodes=1648, doubt=0.63375, overlook=0.21125, blind=0.169, whim=0.04, hunch=0.585),
    Skill(nodes=5477, doubt=0.375, overlook=0.125, blind=0.1, whim=0.04, hunch=0.45),
    Skill(nodes=18_202, doubt=0.18375, overlook=0.06125, blind=0.049, whim=0.04, hunch=0.315),
    Skill(nodes=5477, whim=0.04),
    FullSearch(nodes=400_000),
)
"""The ladder of a game that alpha-beta plays and nobody has measured."""
_BY_MARKS = (Thumb(2000), Thumb(190), Thumb(95), Thumb(45), Thumb(10), Thumb(5, is_tuned=True))
"""The ladder of a game with rules of thumb that alpha-beta cannot play; a search in imagined worlds comes above."""


def level_names(count: int) -> tuple[str, ...]:
    """The names of a ladder with so many rungs, weakest first."""
    return tuple(name for name in LEVELS if name in _KEPT[:count])


def rungs_of(game: Game[Any]) -> tuple[Rung, ...]:
    """The levels of this game with this number of seats, weakest first: only those that can be made."""
    rungs = game.knowledge.ladders.get(game.seats, ())
    if own := tuple(rung for rung in rungs if can_play(kind_of(rung.player), game)):
        return own
    players = _unmeasured(game)
    return tuple(map(Rung, level_names(len(players)), players))


def ladder_of(game: Game[Any]) -> Mapping[str, Seated]:
    """The player of each level of this game with this number of seats, weakest first."""
    return {rung.level: rung.player for rung in rungs_of(game)}


def elo_of_levels(game: Game[Any]) -> Mapping[str, int]:
    """How much stronger in Elo each level is than the lowest, weakest first.

    Where nobody has measured it, a step is what it is meant to be: two games of three against the level below."""
    return {
        rung.level: ELO_OF_A_STEP * place if rung.elo is None else rung.elo for place, rung in enumerate(rungs_of(game))
    }


def _unmeasured(game: Game[Any]) -> Sequence[Seated]:
    """The players of a ladder made of what the game's knowledge offers, at least one."""
    if can_play("alphabeta", game):
        return _USUAL
    if can_play("sensible", game):
        return (*_BY_MARKS, Worlds(nodes=2000)) if can_play("ismcts", game) else _BY_MARKS
    if can_play("greedy", game):
        return Baseline("random"), Baseline("greedy")
    if can_play("uct", game):
        return Baseline("random"), Playouts(nodes=20_000)
    return (Baseline("random"),)


def levels_of(game: Game[Any]) -> tuple[str, ...]:
    """The names of the levels of this game with this number of seats, weakest first."""
    return tuple(ladder_of(game))


def level_at(game: Game[Any], name: str) -> str:
    """The level itself, or the next below it that the ladder has. Raises UnknownPlayer for other names."""
    if name not in LEVELS:
        raise UnknownPlayer(phrase("unknown.level", name=quoted(name[:40]), names=listed(*levels_of(game))))
    reach, ladder = LEVELS[: LEVELS.index(name) + 1], levels_of(game)
    return [level for level in ladder if level in reach or level == ladder[0]][-1]


def seated_at(game: Game[Any], name: str) -> Seated:
    """The player of this level, or of the next below it that the ladder has. Raises UnknownPlayer for other names."""
    return ladder_of(game)[level_at(game, name)]


def make_level(game: Game[Any], name: str, seed: int) -> Player:
    """The bot of this level for the game and its number of seats."""
    return make_seated(seated_at(game, name), game, seed)


def make_seated(player: Seated, game: Game[Any], seed: int) -> Player:
    """The bot that a rung describes. Its module is imported only now, because most bring compiled code."""
    limits = limits_of(player) or Limits(LEVEL_SECONDS)
    match player:
        case Skill():
            from cupboard.players.fallible import Fallible

            return Fallible(game, seed, player)
        case FullSearch():
            from cupboard.players.alphabeta import AlphaBeta

            return AlphaBeta(game, seed, limits)
        case Thumb():
            from cupboard.players.sensible import Sensible

            return Sensible(game, seed, plain=not player.is_tuned, doubt=player.doubt)
        case Worlds():
            from cupboard.players.ismcts import Ismcts

            return Ismcts(game, seed, limits)
        case Playouts():
            from cupboard.players.uct import Uct

            return Uct(game, seed, limits, room=player.nodes + 1)
        case Baseline():
            from cupboard.players import BASELINES

            return BASELINES[player.name](game, seed)


def limits_of(player: Seated) -> Limits | None:
    """What the bot on a rung spends on a move; None for those that do not search.

    On a machine of today the nodes end a search first, so that a level is equally strong everywhere; on a slow or busy
    one the seconds do.
    """
    match player:
        case Skill() | FullSearch() | Worlds() | Playouts():
            return Limits(LEVEL_SECONDS, player.nodes)
        case Thumb() | Baseline():
            return None


def kind_of(player: Seated) -> str:
    """The name of the player that sits on a rung, as `needs.py` knows it."""
    match player:
        case Skill() | FullSearch():
            return "alphabeta"
        case Thumb():
            return "sensible"
        case Worlds():
            return "ismcts"
        case Playouts():
            return "uct"
        case Baseline():
            return player.name

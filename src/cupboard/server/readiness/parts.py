"""Parts: what is compiled in one go, by a process beside the server, and loaded by the server when it is kept.

The rules of a game are one part, each compiled search is one for all games, and the bots of a game are one part for
each kind of player on its ladders. So nothing is compiled twice, and what a gentle level needs does not wait for what
only the strongest one asks for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from itertools import zip_longest
from typing import Any

import msgspec

from cupboard.core.game import Game
from cupboard.core.ladder import FullSearch, Seated, Skill
from cupboard.core.registry import find
from cupboard.core.sources import compiled_size
from cupboard.players import SEARCHES
from cupboard.players.levels import kind_of, ladder_of, make_seated

_RULES = "rules"
_ORACLE = "oracle"


class Part(msgspec.Struct, frozen=True):
    """Something to compile: the `rules` of a game, its bots of one kind, or the search of a kind, which has no game."""

    game: str
    what: str

    @property
    def is_rules(self) -> bool:
        """Whether tables of the game wait for it."""
        return self.what == _RULES

    def load(self) -> None:
        """Load it, and compile first what no folder has of it."""
        if not self.game:
            import_module(_module_of(self.what))
        elif self.is_rules:
            assert find(self.game)().kernel
        else:
            for game, players in _ladders(self.game):
                player = next((one for one in players.values() if _needs(one, game) == self.what), None)
                if player is not None:
                    make_seated(player, game, 0)


def parts_of(name: str) -> tuple[Part, ...]:
    """The parts of a game and the searches that its bots need, in the order in which a player will want them."""
    found = [Part(name, _RULES)]
    # The ladders side by side: the weakest player for each number of seats, then the next.
    for rung in zip_longest(*([_needs(one, game) for one in players.values()] for game, players in _ladders(name))):
        for what in dict.fromkeys(filter(None, rung)):
            search = "alphabeta" if what == _ORACLE else what
            found += [Part("", search)] * (search in SEARCHES) + [Part(name, what)]
    return tuple(dict.fromkeys(found))


def all_parts(names: Iterable[str]) -> tuple[Part, ...]:
    """The parts of these games in the order in which they are compiled if nobody has chosen a game.

    The game that is compiled soonest comes first with a gentle bot; then the rules of all, the gentle bots of all, and
    the others.
    """
    games = sorted((parts_of(name) for name in names), key=lambda parts: compiled_size(_kernel_of(parts[0].game)))
    first = _until_gentle(games[0]) if games else ()
    rules = [parts[0] for parts in games]
    gentle = [part for parts in games for part in _until_gentle(parts)]
    return tuple(dict.fromkeys((*first, *rules, *gentle, *(part for parts in games for part in parts))))


def before(part: Part) -> tuple[Part, ...]:
    """The parts that should be there before this one is compiled, because it would compile them, too."""
    if part.is_rules or not part.game:
        return ()
    parts = parts_of(part.game)
    return tuple(one for one in parts[: parts.index(part)] if one.is_rules or not one.game)


def levels_with(name: str, ready: Iterable[Part]) -> tuple[str, ...]:
    """The levels of a game, weakest first, that can play at all its tables with these parts."""
    there = {part.what for part in ready if part.game == name}
    waiting = {
        level for game, players in _ladders(name) for level, one in players.items() if _needs(one, game) not in there
    }
    return tuple(dict.fromkeys(lv for _, players in _ladders(name) for lv in players if lv not in waiting))


def part_of(game: Game[Any], player: Seated) -> Part:
    """The part that a player on a rung of this game's ladder needs."""
    return Part(game.name, _needs(player, game))


def _until_gentle(parts: Sequence[Part]) -> Sequence[Part]:
    """The first parts of a game, up to its gentlest bots."""
    end = next((n for n, part in enumerate(parts, 1) if part.game and not part.is_rules), len(parts))
    return parts[:end]


def _needs(player: Seated, game: Game[Any]) -> str:
    """What the player on a rung needs compiled: its kind, or the game's oracle where it asks that."""
    asks = isinstance(player, FullSearch) or (isinstance(player, Skill) and player.counts)
    return _ORACLE if asks and game.knowledge.oracle is not None else kind_of(player)


@cache
def _ladders(name: str) -> tuple[tuple[Game[Any], dict[str, Seated]], ...]:
    """For each number of seats the game and the players of its levels."""
    kind = find(name)
    return tuple((game, dict(ladder_of(game))) for game in map(kind, kind.SEATS))


def _module_of(kind: str) -> str:
    return SEARCHES[kind].partition(":")[0]


def _kernel_of(name: str) -> str:
    return f"cupboard.games.{name.replace('-', '_')}.kernel"


def size_of(part: Part) -> int:
    """How much there is to compile in the rules of a game or in a search; 0 for bots, of whom nobody asks it."""
    if not part.game:
        return compiled_size(_module_of(part.what))
    return compiled_size(_kernel_of(part.game)) if part.is_rules else 0

"""Entrants: the players of a tournament, as they are written on the command line.

greedy                      a bot or a level by name
alphabeta:nodes=20000       with limits of its own: seconds, nodes, depth
openspiel-mcts:seconds=0.1  OpenSpiel's search, where OpenSpiel is installed and knows the game
cmd:./program --fast        any program that speaks the engine protocol
mine=cmd:./program --fast   that program under the short name `mine`
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

from cupboard.core.errors import CupboardError
from cupboard.core.game import Game
from cupboard.players import Player, make_player
from cupboard.players.thinking import Limits, Thinker

__all__ = ["BadEntrant", "Entrant", "label_all", "read_entrants", "read_limits"]


class BadEntrant(CupboardError):
    """The text does not describe a player that can take part."""

    code = "bad-entrant"


@dataclass(frozen=True)
class Entrant:
    """One player of a tournament: a bot, a level or a program, with the limits of its thinking."""

    text: str
    """As it was written on the command line; also its name in reports, unless it has a short one."""
    name: str = ""
    """The name of the bot or level; empty for a program."""
    short: str = ""
    """The name given to the program of a `cmd:` entrant."""
    command: tuple[str, ...] = ()
    """The program and its arguments, for `cmd:` entrants."""
    limits: Limits = field(default_factory=Limits)
    """Its own limits; if it has none, those of the tournament hold."""

    @classmethod
    def read(cls, text: str) -> Entrant:
        """The entrant that a text describes. Whether there is a bot of that name is checked only by `make`."""
        text = text.strip()
        if (found := re.fullmatch(r"(?:([^:=]*)=)?cmd:(.*)", text, re.DOTALL)) is not None:
            short, words = found[1], found[2]
            if short is not None and not re.fullmatch(r"[\w.-]{1,40}", short):
                raise BadEntrant(f"{short[:40]!r} is no name for a program: write letters, digits, - and _.")
            try:
                command = tuple(shlex.split(words))
            except ValueError as error:
                raise BadEntrant(f"The command {words[:60]!r} cannot be read: {error}.") from error
            if not command:
                raise BadEntrant("After cmd: comes the program to start, like cmd:./engine.")
            return cls(text, command=command, short=short or "")
        name, _, parameters = text.partition(":")
        if not re.fullmatch(r"[\w.-]+", name):
            raise BadEntrant(f"{text[:60]!r} is no player: write a name, name:nodes=1000, or cmd:./program.")
        return cls(text, name=name, limits=read_limits(parameters))

    @property
    def label(self) -> str:
        """Its name in reports and records."""
        return self.short or self.text

    def within(self, limits: Limits) -> Limits:
        """Its own limits if it has any, else `limits`, which are those of the tournament."""
        return limits if self.limits.is_endless else self.limits

    def make(self, game: Game[Any], seed: int, limits: Limits) -> Player:
        """The player, ready for one game. Raises UnknownPlayer or BadEntrant when there is none."""
        if self.command:
            from cupboard.arena.external_engine import ExternalEngine

            return ExternalEngine.lease(self.command, game, seed, self.within(limits))
        if self.name in PEERS:
            return self._peer(game, seed, self.within(limits))
        player = make_player(self.name, game, seed)
        if not self.limits.is_endless and not isinstance(player, Thinker):
            raise BadEntrant(f"{self.name} does not search, so it takes no limits: write only {self.name}.")
        return player

    def _peer(self, game: Game[Any], seed: int, limits: Limits) -> Player:
        module, _, maker = PEERS[self.name].partition(":")
        try:
            adapter = import_module(module)
        except ImportError as error:
            raise BadEntrant(f"{self.name} needs OpenSpiel: pip install 'cupboard[peers]'.") from error
        peer: Player = getattr(adapter, maker)(game, seed, limits.seconds or PEER_SECONDS, limits.nodes)
        return peer


PEERS = {
    "openspiel-mcts": "cupboard.adapters.openspiel_mcts:OpenSpielMcts",
    "openspiel-ismcts": "cupboard.adapters.openspiel_ismcts:OpenSpielIsmcts",
}
"""Bots of other frameworks. They have no clock: the time limit is met by counting simulations; `nodes` limits those."""
PEER_SECONDS = 0.1
_LIMITS = {"seconds": float, "time": float, "nodes": int, "depth": int}


def read_limits(text: str) -> Limits:
    """The limits written like `nodes=1000,seconds=0.5`. Raises BadEntrant for anything else."""
    limits = Limits()
    for word in filter(None, text.split(",")):
        name, _, value = word.partition("=")
        if name not in _LIMITS:
            raise BadEntrant(f"{word[:40]!r} is no limit: write seconds=…, nodes=… or depth=….")
        try:
            number = _LIMITS[name](value)
            good = 0 < number < 1e12
        except ValueError:
            good = False
        if not good:
            raise BadEntrant(f"{name} takes a number above 0, not {value[:20]!r}.")
        limits = replace(limits, **{"seconds" if name == "time" else name: number})
    return limits


def read_entrants(texts: Iterable[str]) -> tuple[Entrant, ...]:
    """The entrants that the texts of a command line describe, in their order."""
    return tuple(map(Entrant.read, texts))


def label_all(entrants: Sequence[Entrant]) -> tuple[str, ...]:
    """A name for each entrant, all different: the second `greedy` becomes greedy#2."""
    labels: list[str] = []
    for entrant in entrants:
        name = entrant.label
        n = 1 + sum(label == name or label.startswith(f"{name}#") for label in labels)
        labels.append(name if n == 1 else f"{name}#{n}")
    return tuple(labels)

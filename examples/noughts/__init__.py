"""Noughts: three in a row."""

from cupboard.games.noughts.rules import Noughts

GAME = Noughts

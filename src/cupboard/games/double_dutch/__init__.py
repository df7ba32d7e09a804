"""Double Dutch: slide a stone, leave another behind, and be the last who can."""

from cupboard.games.double_dutch.rules import DoubleDutch

GAME = DoubleDutch

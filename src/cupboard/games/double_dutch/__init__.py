"""Double Dutch: slide a stone, leave another behind, and be the last one that can."""

from cupboard.games.double_dutch.rules import DoubleDutch

GAME = DoubleDutch

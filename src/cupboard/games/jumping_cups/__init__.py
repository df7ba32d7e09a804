"""Jumping Cups: bring five cups home, or leave the opponent without a move."""

from cupboard.games.jumping_cups.rules import JumpingCups

GAME = JumpingCups

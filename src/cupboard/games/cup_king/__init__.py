"""Cup King: beat the cards played before you, or lose a bucket of your pyramid."""

from cupboard.games.cup_king.rules import CupKing

GAME = CupKing

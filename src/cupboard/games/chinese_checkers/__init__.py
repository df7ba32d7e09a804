"""Chinese Checkers: step and jump your ten pieces across the star."""

from cupboard.games.chinese_checkers.rules import ChineseCheckers

GAME = ChineseCheckers

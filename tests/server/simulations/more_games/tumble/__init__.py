"""Tumble: a game whose moves of nature are simulated, well or badly as a test wants it."""

from .rules import Tumble

GAME = Tumble

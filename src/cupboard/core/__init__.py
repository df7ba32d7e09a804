"""The words every game, player and screen speaks. No I/O, and no game's name."""

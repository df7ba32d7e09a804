"""Four table games with exact rules: Jumping Cups, Chinese Checkers, Double Dutch, Cup King."""

__version__ = "0.1.0"

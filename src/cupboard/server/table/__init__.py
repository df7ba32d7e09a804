"""A table: its log, its state, its seats, its bots and clocks, and the updates its clients get."""

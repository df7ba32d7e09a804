"""Tables: seats, moves, offers, clocks, bots, hints, and what clients are sent."""

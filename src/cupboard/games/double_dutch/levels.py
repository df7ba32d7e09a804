"""The levels of Double Dutch, each a step of about 150 Elo above the one before (bench/results.md)."""

from cupboard.core.ladder import FullSearch, Rung, Skill

LADDERS: dict[int, tuple[Rung, ...]] = {
    2: (
        Rung("sprout", Skill(nodes=100, doubt=1.5, overlook=0.5, blind=0.4, whim=0.04, hunch=0.9), elo=0, ahead=3),
        Rung(
            "seedling",
            Skill(nodes=283, doubt=1.13535, overlook=0.37845, blind=0.30276, whim=0.04, hunch=0.783),
            elo=173,
            ahead=4,
        ),
        Rung(
            "sapling",
            Skill(nodes=537, doubt=0.93615, overlook=0.31205, blind=0.24964, whim=0.04, hunch=0.711),
            elo=318,
            ahead=4,
        ),
        Rung(
            "hazel",
            Skill(nodes=979, doubt=0.7668375, overlook=0.2556125, blind=0.20449, whim=0.04, hunch=0.6435),
            elo=463,
            ahead=5,
        ),
        Rung(
            "birch",
            Skill(nodes=3005, doubt=0.4959375, overlook=0.1653125, blind=0.13225, whim=0.04, hunch=0.5175),
            elo=643,
            ahead=6,
        ),
        Rung(
            "maple", Skill(nodes=5477, doubt=0.375, overlook=0.125, blind=0.1, whim=0.04, hunch=0.45), elo=790, ahead=7
        ),
        Rung("oak", Skill(nodes=1245, whim=0.04), elo=943, ahead=5),
        Rung("cedar", Skill(nodes=9593, whim=0.04), elo=1098, ahead=8),
        Rung("redwood", Skill(nodes=27_163, whim=0.04), elo=1246, ahead=9),
        Rung("sequoia", FullSearch(nodes=400_000), elo=1406, ahead=13),
    ),
    3: (
        Rung("sprout", Skill(nodes=100, doubt=1.5, overlook=0.5, blind=0.4, whim=0.04, hunch=0.9), elo=0, ahead=3),
        Rung(
            "sapling", Skill(nodes=496, doubt=0.96, overlook=0.32, blind=0.256, whim=0.04, hunch=0.72), elo=134, ahead=4
        ),
        Rung(
            "birch",
            Skill(nodes=1196, doubt=0.71415, overlook=0.23805, blind=0.19044, whim=0.04, hunch=0.621),
            elo=252,
            ahead=5,
        ),
        Rung(
            "maple",
            Skill(nodes=4857, doubt=0.3978375, overlook=0.1326125, blind=0.10609, whim=0.04, hunch=0.4635),
            elo=403,
            ahead=6,
        ),
        Rung(
            "cedar",
            Skill(nodes=40_536, doubt=0.09375, overlook=0.03125, blind=0.025, whim=0.04, hunch=0.225),
            elo=495,
            ahead=10,
        ),
        Rung("sequoia", FullSearch(nodes=400_000), elo=661, ahead=13),
    ),
}
"""By number of seats, weakest first."""

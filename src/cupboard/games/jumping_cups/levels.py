"""The levels of Jumping Cups, each a step of about 150 Elo above the one before (bench/results.md)."""

from cupboard.core.ladder import FullSearch, Rung, Skill

LADDERS: dict[int, tuple[Rung, ...]] = {
    2: (
        Rung("sprout", Skill(nodes=100, doubt=1.5, overlook=0.5, blind=0.4, whim=0.04, hunch=0.9), elo=0, ahead=4),
        Rung(
            "seedling",
            Skill(nodes=496, doubt=0.96, overlook=0.32, blind=0.256, whim=0.04, hunch=0.72),
            elo=152,
            ahead=6,
        ),
        Rung(
            "sapling",
            Skill(nodes=1104, doubt=0.735, overlook=0.245, blind=0.196, whim=0.04, hunch=0.63),
            elo=296,
            ahead=7,
        ),
        Rung(
            "hazel",
            Skill(nodes=3005, doubt=0.4959375, overlook=0.1653125, blind=0.13225, whim=0.04, hunch=0.5175),
            elo=448,
            ahead=9,
        ),
        Rung(
            "birch",
            Skill(nodes=7545, doubt=0.3174, overlook=0.1058, blind=0.08464, whim=0.04, hunch=0.414),
            elo=597,
            ahead=11,
        ),
        Rung(
            "maple",
            Skill(nodes=18_946, doubt=0.1785375, overlook=0.0595125, blind=0.04761, whim=0.04, hunch=0.3105),
            elo=747,
            ahead=13,
        ),
        Rung(
            "oak",
            Skill(nodes=58_118, doubt=0.0630375, overlook=0.0210125, blind=0.01681, whim=0.04, hunch=0.1845),
            elo=899,
            ahead=16,
        ),
        Rung("cedar", FullSearch(nodes=42_192), elo=1045, ahead=15),
        Rung("sequoia", FullSearch(nodes=400_000), elo=1197, ahead=21),
    ),
}
"""By number of seats, weakest first."""

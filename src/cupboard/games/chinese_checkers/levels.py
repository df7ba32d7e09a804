"""The levels of Chinese Checkers, each a step of about 150 Elo above the one before (bench/results.md).

With four and six seats nobody looks at more than 3000 positions: in a crowd one cannot foresee, looking further does
not win more.
"""

from cupboard.core.ladder import FullSearch, Rung, Skill

LADDERS: dict[int, tuple[Rung, ...]] = {
    2: (
        Rung(
            "sprout",
            Skill(nodes=1521, doubt=0.6534, overlook=0.2178, blind=0.17424, whim=0.04, hunch=0.594),
            elo=0,
            ahead=2,
        ),
        Rung(
            "seedling",
            Skill(nodes=2096, doubt=0.5766, overlook=0.1922, blind=0.15376, whim=0.04, hunch=0.558),
            elo=172,
            ahead=2,
        ),
        Rung(
            "clover",
            Skill(nodes=2887, doubt=0.5046, overlook=0.1682, blind=0.13456, whim=0.04, hunch=0.522),
            elo=361,
            ahead=3,
        ),
        Rung(
            "sapling",
            Skill(nodes=3820, doubt=0.4455375, overlook=0.1485125, blind=0.11881, whim=0.04, hunch=0.4905),
            elo=544,
            ahead=3,
        ),
        Rung(
            "hazel",
            Skill(nodes=4857, doubt=0.3978375, overlook=0.1326125, blind=0.10609, whim=0.04, hunch=0.4635),
            elo=709,
            ahead=3,
        ),
        Rung(
            "willow",
            Skill(nodes=6428, doubt=0.3456, overlook=0.1152, blind=0.09216, whim=0.04, hunch=0.432),
            elo=901,
            ahead=3,
        ),
        Rung(
            "birch",
            Skill(nodes=8508, doubt=0.2970375, overlook=0.0990125, blind=0.07921, whim=0.04, hunch=0.4005),
            elo=1080,
            ahead=4,
        ),
        Rung(
            "rowan",
            Skill(nodes=12_198, doubt=0.24, overlook=0.08, blind=0.064, whim=0.04, hunch=0.36),
            elo=1269,
            ahead=4,
        ),
        Rung(
            "maple",
            Skill(nodes=21_363, doubt=0.16335, overlook=0.05445, blind=0.04356, whim=0.04, hunch=0.297),
            elo=1443,
            ahead=5,
        ),
        Rung("ash", Skill(nodes=1061, whim=0.04), elo=1622, ahead=3),
        Rung("oak", Skill(nodes=4484, whim=0.04), elo=1799, ahead=4),
        Rung("cedar", Skill(nodes=10_817, whim=0.04), elo=1983, ahead=4),
        Rung("redwood", Skill(nodes=33_183, whim=0.04), elo=2163, ahead=6),
        Rung("sequoia", FullSearch(nodes=400_000), elo=2342, ahead=8),
    ),
    3: (
        Rung(
            "sprout",
            Skill(nodes=1648, doubt=0.63375, overlook=0.21125, blind=0.169, whim=0.04, hunch=0.585),
            elo=0,
            ahead=2,
        ),
        Rung(
            "seedling",
            Skill(nodes=3005, doubt=0.4959375, overlook=0.1653125, blind=0.13225, whim=0.04, hunch=0.5175),
            elo=147,
            ahead=2,
        ),
        Rung(
            "sapling",
            Skill(nodes=4139, doubt=0.4293375, overlook=0.1431125, blind=0.11449, whim=0.04, hunch=0.4815),
            elo=298,
            ahead=2,
        ),
        Rung(
            "hazel", Skill(nodes=5477, doubt=0.375, overlook=0.125, blind=0.1, whim=0.04, hunch=0.45), elo=442, ahead=2
        ),
        Rung(
            "birch",
            Skill(nodes=7545, doubt=0.3174, overlook=0.1058, blind=0.08464, whim=0.04, hunch=0.414),
            elo=588,
            ahead=3,
        ),
        Rung(
            "maple",
            Skill(nodes=13_214, doubt=0.22815, overlook=0.07605, blind=0.06084, whim=0.04, hunch=0.351),
            elo=731,
            ahead=3,
        ),
        Rung(
            "ash",
            Skill(nodes=47_576, doubt=0.07935, overlook=0.02645, blind=0.02116, whim=0.04, hunch=0.207),
            elo=875,
            ahead=4,
        ),
        Rung("oak", Skill(nodes=1858, whim=0.04), elo=1024, ahead=3),
        Rung("cedar", Skill(nodes=2887, whim=0.04), elo=1169, ahead=3),
        Rung("redwood", Skill(nodes=5056, whim=0.04), elo=1310, ahead=3),
        Rung("sequoia", FullSearch(nodes=400_000), elo=1458, ahead=6),
    ),
    4: (
        Rung(
            "sprout", Skill(nodes=141, doubt=1.215, overlook=0.405, blind=0.324, whim=0.04, hunch=0.81), elo=0, ahead=2
        ),
        Rung(
            "seedling",
            Skill(nodes=178, doubt=1.03335, overlook=0.34445, blind=0.27556, whim=0.04, hunch=0.747),
            elo=143,
            ahead=2,
        ),
        Rung(
            "sapling",
            Skill(nodes=238, doubt=0.8325375, overlook=0.2775125, blind=0.22201, whim=0.04, hunch=0.6705),
            elo=293,
            ahead=2,
        ),
        Rung(
            "hazel",
            Skill(nodes=312, doubt=0.6633375, overlook=0.2211125, blind=0.17689, whim=0.04, hunch=0.5985),
            elo=441,
            ahead=2,
        ),
        Rung(
            "birch",
            Skill(nodes=383, doubt=0.5490375, overlook=0.1830125, blind=0.14641, whim=0.04, hunch=0.5445),
            elo=591,
            ahead=2,
        ),
        Rung(
            "maple",
            Skill(nodes=462, doubt=0.45375, overlook=0.15125, blind=0.121, whim=0.04, hunch=0.495),
            elo=730,
            ahead=2,
        ),
        Rung(
            "oak",
            Skill(nodes=596, doubt=0.3384375, overlook=0.1128125, blind=0.09025, whim=0.04, hunch=0.4275),
            elo=879,
            ahead=2,
        ),
        Rung(
            "cedar",
            Skill(nodes=783, doubt=0.2340375, overlook=0.0780125, blind=0.06241, whim=0.04, hunch=0.3555),
            elo=1025,
            ahead=2,
        ),
        Rung(
            "redwood",
            Skill(nodes=1045, doubt=0.14415, overlook=0.04805, blind=0.03844, whim=0.04, hunch=0.279),
            elo=1175,
            ahead=3,
        ),
        Rung("sequoia", FullSearch(nodes=3000), elo=1320, ahead=3),
    ),
    6: (
        Rung("sprout", Skill(nodes=100, doubt=1.5, overlook=0.5, blind=0.4, whim=0.04, hunch=0.9), elo=0, ahead=2),
        Rung(
            "seedling",
            Skill(nodes=141, doubt=1.215, overlook=0.405, blind=0.324, whim=0.04, hunch=0.81),
            elo=143,
            ahead=2,
        ),
        Rung(
            "sapling",
            Skill(nodes=188, doubt=0.9963375, overlook=0.3321125, blind=0.26569, whim=0.04, hunch=0.7335),
            elo=271,
            ahead=2,
        ),
        Rung(
            "hazel",
            Skill(nodes=242, doubt=0.8214, overlook=0.2738, blind=0.21904, whim=0.04, hunch=0.666),
            elo=402,
            ahead=2,
        ),
        Rung(
            "birch",
            Skill(nodes=292, doubt=0.7038375, overlook=0.2346125, blind=0.18769, whim=0.04, hunch=0.6165),
            elo=539,
            ahead=2,
        ),
        Rung(
            "maple",
            Skill(nodes=334, doubt=0.6240375, overlook=0.2080125, blind=0.16641, whim=0.04, hunch=0.5805),
            elo=662,
            ahead=2,
        ),
        Rung("ash", Skill(nodes=390, doubt=0.54, overlook=0.18, blind=0.144, whim=0.04, hunch=0.54), elo=806, ahead=2),
        Rung(
            "oak",
            Skill(nodes=470, doubt=0.4455375, overlook=0.1485125, blind=0.11881, whim=0.04, hunch=0.4905),
            elo=953,
            ahead=2,
        ),
        Rung(
            "cedar",
            Skill(nodes=719, doubt=0.2646, overlook=0.0882, blind=0.07056, whim=0.04, hunch=0.378),
            elo=1131,
            ahead=2,
        ),
        Rung(
            "redwood",
            Skill(nodes=1177, doubt=0.1134375, overlook=0.0378125, blind=0.03025, whim=0.04, hunch=0.2475),
            elo=1263,
            ahead=3,
        ),
        Rung("sequoia", FullSearch(nodes=3000), elo=1402, ahead=3),
    ),
}
"""By number of seats, weakest first."""

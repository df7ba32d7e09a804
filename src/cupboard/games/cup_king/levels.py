"""The levels of Cup King: steps of about 100 to 200 Elo (bench/fit_cup_king.py, bench/results.md).

Rules of thumb with less and less doubt, then tuned ones, then the search.
"""

from cupboard.core.ladder import Rung, Thumb, Worlds

LADDERS: dict[int, tuple[Rung, ...]] = {
    2: (
        Rung("sprout", Thumb(doubt=2000)),
        Rung("seedling", Thumb(doubt=190)),
        Rung("sapling", Thumb(doubt=95)),
        Rung("birch", Thumb(doubt=45)),
        Rung("maple", Thumb(doubt=8)),
        Rung("cedar", Thumb(doubt=5, is_tuned=True)),
        Rung("sequoia", Worlds(nodes=2000)),
    ),
    3: (
        Rung("sprout", Thumb(doubt=2000)),
        Rung("seedling", Thumb(doubt=190)),
        Rung("sapling", Thumb(doubt=95)),
        Rung("birch", Thumb(doubt=45)),
        Rung("maple", Thumb(doubt=10)),
        Rung("cedar", Thumb(doubt=0, is_tuned=True)),
        Rung("sequoia", Worlds(nodes=2000)),
    ),
    4: (
        Rung("sprout", Thumb(doubt=2000)),
        Rung("seedling", Thumb(doubt=190)),
        Rung("sapling", Thumb(doubt=95)),
        Rung("birch", Thumb(doubt=45)),
        Rung("maple", Thumb(doubt=14)),
        Rung("cedar", Thumb(doubt=8, is_tuned=True)),
        Rung("sequoia", Worlds(nodes=2000)),
    ),
    5: (
        Rung("sprout", Thumb(doubt=2000)),
        Rung("sapling", Thumb(doubt=130)),
        Rung("birch", Thumb(doubt=50)),
        Rung("maple", Thumb(doubt=14)),
        Rung("cedar", Thumb(doubt=6, is_tuned=True)),
        Rung("sequoia", Worlds(nodes=2000)),
    ),
    6: (
        Rung("sprout", Thumb(doubt=2000)),
        Rung("sapling", Thumb(doubt=130)),
        Rung("birch", Thumb(doubt=50)),
        Rung("maple", Thumb(doubt=14)),
        Rung("cedar", Thumb(doubt=6, is_tuned=True)),
        Rung("sequoia", Worlds(nodes=2000)),
    ),
}
"""By number of seats, weakest first."""

"""The levels of Cup King: steps of about 100 to 200 Elo (bench/fit_cup_king.py, bench/results.md).

Rules of thumb with less and less doubt, then tuned ones, then the search.
"""

from cupboard.core.ladder import Rung, Thumb, Worlds

LADDERS: dict[int, tuple[Rung, ...]] = {
    2: (
        Rung("sprout", Thumb(doubt=2000), elo=0),
        Rung("seedling", Thumb(doubt=190), elo=135),
        Rung("sapling", Thumb(doubt=95), elo=245),
        Rung("birch", Thumb(doubt=45), elo=403),
        Rung("maple", Thumb(doubt=8), elo=620),
        Rung("cedar", Thumb(doubt=5, is_tuned=True), elo=771),
        Rung("sequoia", Worlds(nodes=2000), elo=886),
    ),
    3: (
        Rung("sprout", Thumb(doubt=2000), elo=0),
        Rung("seedling", Thumb(doubt=190), elo=128),
        Rung("sapling", Thumb(doubt=95), elo=253),
        Rung("birch", Thumb(doubt=45), elo=435),
        Rung("maple", Thumb(doubt=10), elo=644),
        Rung("cedar", Thumb(doubt=0, is_tuned=True), elo=872),
        Rung("sequoia", Worlds(nodes=2000), elo=1049),
    ),
    4: (
        Rung("sprout", Thumb(doubt=2000), elo=0),
        Rung("seedling", Thumb(doubt=190), elo=138),
        Rung("sapling", Thumb(doubt=95), elo=243),
        Rung("birch", Thumb(doubt=45), elo=401),
        Rung("maple", Thumb(doubt=14), elo=566),
        Rung("cedar", Thumb(doubt=8, is_tuned=True), elo=687),
        Rung("sequoia", Worlds(nodes=2000), elo=870),
    ),
    5: (
        Rung("sprout", Thumb(doubt=2000), elo=0),
        Rung("sapling", Thumb(doubt=130), elo=123),
        Rung("birch", Thumb(doubt=50), elo=262),
        Rung("maple", Thumb(doubt=14), elo=450),
        Rung("cedar", Thumb(doubt=6, is_tuned=True), elo=584),
        Rung("sequoia", Worlds(nodes=2000), elo=688),
    ),
    6: (
        Rung("sprout", Thumb(doubt=2000), elo=0),
        Rung("sapling", Thumb(doubt=130), elo=117),
        Rung("birch", Thumb(doubt=50), elo=269),
        Rung("maple", Thumb(doubt=14), elo=415),
        Rung("cedar", Thumb(doubt=6, is_tuned=True), elo=549),
        Rung("sequoia", Worlds(nodes=2000), elo=680),
    ),
}
"""By number of seats, weakest first."""

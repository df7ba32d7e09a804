"""Tournaments between players with ratings and reports, and players as engines for other programs and as analysts."""

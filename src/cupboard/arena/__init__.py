"""Matches between players, what they prove, and the same players as engines and analysts."""

"""Simulations: nature's moves that take seconds to find out, worked out by processes beside the tables."""

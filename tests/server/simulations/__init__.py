"""Tests of simulations, and a game that needs them."""

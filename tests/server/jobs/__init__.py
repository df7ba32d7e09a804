"""Tests of the work beside the tables."""

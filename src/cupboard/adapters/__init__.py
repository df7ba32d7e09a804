"""Cupboard for other programs, and other programs for Cupboard; imported only when asked for."""

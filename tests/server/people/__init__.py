"""Guests, accounts and sessions."""

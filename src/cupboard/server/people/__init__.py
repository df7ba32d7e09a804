"""The people who play: guests, accounts, sessions, and what may be a name."""

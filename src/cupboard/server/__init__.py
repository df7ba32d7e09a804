"""A server at whose tables people and bots play together. Its sub-packages are listed in ARCHITECTURE.md."""

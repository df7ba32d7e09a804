"""The games, one folder each; the folder listing is the registry."""

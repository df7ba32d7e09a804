"""The page, played in a browser."""

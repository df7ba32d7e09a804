"""Pictures: what they cost and whom they show what."""

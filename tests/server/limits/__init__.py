"""Rate limits and connection limits, by themselves and against real clients."""

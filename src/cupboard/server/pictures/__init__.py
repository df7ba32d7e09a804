"""Pictures of positions: drawn in one thread, turned into PNG by a process of their own."""

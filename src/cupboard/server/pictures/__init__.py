"""Pictures of positions, drawn by a process of their own."""

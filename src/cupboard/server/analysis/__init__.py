"""What moves are worth: finished games are judged and positions valued in a process beside the tables."""

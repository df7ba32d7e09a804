"""Work beside the tables: bots, hints, flicks, analyses and pictures, done by processes here or by workers."""

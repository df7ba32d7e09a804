"""The database: the log of every table, the people and their sessions."""

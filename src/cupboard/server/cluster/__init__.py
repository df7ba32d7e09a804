"""Several servers on one database: which of them run, who works for a table, and what they tell each other."""

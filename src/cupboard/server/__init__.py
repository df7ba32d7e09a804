"""The table: a server for people and bots who play together. Import what you need from its modules."""

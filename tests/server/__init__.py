"""The server: at its network mostly, inside its process where every step is to be seen."""

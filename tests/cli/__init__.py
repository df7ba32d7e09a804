"""The command line as people meet it."""

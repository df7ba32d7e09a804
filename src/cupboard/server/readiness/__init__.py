"""Readiness: the games are compiled beside the server, the first time on a machine, each as soon as it is wanted."""

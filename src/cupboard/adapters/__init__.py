"""Adapters to other frameworks: our games for OpenSpiel, and its bots as our players. Imported only on demand."""

"""The messages and what is generated from them."""

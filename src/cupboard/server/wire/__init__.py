"""The messages between server and clients, as structs, and what is generated from them."""

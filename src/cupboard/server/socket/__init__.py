"""The WebSocket of a table: handshake, frames, and the messages of one client."""

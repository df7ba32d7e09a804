"""WebSockets: frames, and attacks on them."""

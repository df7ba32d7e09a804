"""What an administrator sees and does, with real servers and sockets."""

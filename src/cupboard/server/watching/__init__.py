"""What the server tells whoever runs it: a structured log, and figures for Prometheus."""

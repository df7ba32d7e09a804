"""Administration: what whoever runs the server may see and do, from the shell and from a page behind a secret link."""

"""Everything that is asked for over HTTP: the API, the downloads, the page."""

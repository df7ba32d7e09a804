"""The API, the page, and what is refused at the door."""

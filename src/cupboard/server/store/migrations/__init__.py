"""The history of the database's shape; `upgrade` brings any older one up to date."""

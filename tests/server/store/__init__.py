"""The database: damage, full disks, crashes, and whose files they are."""

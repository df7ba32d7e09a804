"""Where the work of a server is done: by its own processes, and by workers where it has a database for them."""

from __future__ import annotations

from cupboard.server.jobs.kinds import Jobs
from cupboard.server.jobs.pool import JobPool
from cupboard.server.settings import ServerSettings


def open_jobs(settings: ServerSettings) -> Jobs:
    """The jobs of a server with these settings."""
    pool = JobPool(settings)
    if settings.database:
        from cupboard.server.jobs.posted import PostedJobs

        return PostedJobs(settings.database, pool)
    return pool

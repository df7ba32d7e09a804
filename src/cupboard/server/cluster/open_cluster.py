"""Opens the cluster that the settings ask for: several servers on PostgreSQL, or one alone."""

from __future__ import annotations

from cupboard.server.cluster.cluster import Cluster
from cupboard.server.settings import ServerSettings


def open_cluster(settings: ServerSettings) -> Cluster:
    """The cluster of the database; it connects when it is run."""
    if settings.database:
        from cupboard.server.cluster.postgres_cluster import PostgresCluster

        return PostgresCluster(settings.database)
    return Cluster()

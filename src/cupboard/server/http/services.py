"""The services of one server: what the handlers of requests may use."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING

from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from cupboard.server.administration.administration import Administration
from cupboard.server.administration.link import AdminLink
from cupboard.server.administration.retention import Retention
from cupboard.server.administration.running import new_key
from cupboard.server.analysis.analyses import Analyses
from cupboard.server.analysis.judge import Judge
from cupboard.server.classes.classes import Classes
from cupboard.server.cluster.messages import ChairsChanged, Failed, PeopleChanged, Spent
from cupboard.server.cluster.open_cluster import open_cluster
from cupboard.server.http.network_access import NetworkAccess
from cupboard.server.jobs.kinds import KINDS
from cupboard.server.jobs.open_jobs import open_jobs
from cupboard.server.limits.rates import Backoff, RateLimits, rates_of
from cupboard.server.people.name_rules import NameRules
from cupboard.server.people.people import People, Person
from cupboard.server.people.sign_up import SignUp
from cupboard.server.people.strengths import Strengths
from cupboard.server.pictures.gallery import Gallery
from cupboard.server.settings import ServerSettings
from cupboard.server.store.open_store import open_store
from cupboard.server.store.watched import WatchedStore
from cupboard.server.table.access import SeatAccess
from cupboard.server.table.lobby import TableLists
from cupboard.server.table.tables import Tables
from cupboard.server.watching.watcher import Watcher

if TYPE_CHECKING:
    from cupboard.server.watching.meters import Meters

COOKIE = "cupboard"


class Services:
    """The database, the people, the tables, the classes, the limits, the pictures and the analyses of one server."""

    def __init__(self, settings: ServerSettings, watcher: Watcher | None = None) -> None:
        self.settings = settings
        names = NameRules(settings.people)
        self.watcher = watcher or Watcher(settings.log)
        self.store = WatchedStore(open_store(settings), self.watcher)
        self.public_url = settings.public_url
        self.people = People(self.store, settings.people, names)
        self.sign_up = SignUp(settings.people)
        self.cluster = open_cluster(settings)
        self.jobs = open_jobs(settings)
        self.tables = Tables(self.store, self.people, settings, self.watcher, self.cluster, self.jobs)
        self.access = SeatAccess(self.people)
        self.lists = TableLists(self.store, self.tables, self.access)
        self.administration = Administration(self.store, self.people, self.tables)
        self.admin_link = AdminLink(self.store)
        self.shell_key = new_key()
        """What lets a shell on this machine ask the running server, as the admin link lets a page."""
        self.retention = Retention(self.store, self.tables, settings)
        self.strengths = Strengths(self.store)
        self.classes = Classes(self.store, self.people, self.tables)
        self.limits = RateLimits(settings.limited, rates=rates_of(settings.limits))
        self.backoff = Backoff(settings.limited)
        self._share()
        self.trying: set[tuple[str, str]] = set()
        """The pairs of address and username that wait for another try at a password."""
        self.gallery = Gallery(self.jobs)
        self.judge = Judge(self.jobs)
        self.analyses = Analyses(self.judge, settings.analysis_seconds)
        self.network = NetworkAccess(behind_proxy=bool(settings.believed_proxies), url=self.public_url.base)
        if self.watcher.meters is not None:
            self._show(self.watcher.meters)

    def _share(self) -> None:
        """Tell the other servers what is used up here, and hear what is used up there."""
        cluster, limits, backoff, sessions = self.cluster, self.limits, self.backoff, self.people.sessions
        if cluster.is_alone:
            return
        limits.tell = lambda what, place, count: cluster.post(Spent(what, place, count))
        cluster.hear(Spent, lambda told: limits.spent_elsewhere(told.what, told.place, told.count))
        backoff.tell = lambda place, ended: cluster.post(Failed(place, ended))
        cluster.hear(Failed, lambda told: backoff.heard(told.place, ended=told.ended))

        def people_changed() -> None:
            cluster.post(PeopleChanged())
            self.tables.host.people_changed()

        sessions.tell = people_changed
        cluster.hear(PeopleChanged, lambda _: self.tables.host.people_changed())
        cluster.hear(ChairsChanged, lambda told: self.tables.host.chairs_changed(told.people))

    def _show(self, meters: Meters) -> None:
        """Add the figures that are read when somebody asks for them. Another thread reads: of what changes, a copy."""
        rooms, bots, hints, analyses = self.tables.rooms, self.tables.bots, self.tables.hints, self.analyses
        meters.gauge("cupboard_tables_in_memory", "Tables in memory.", lambda: len(rooms))
        meters.gauge(
            "cupboard_tables_with_clients",
            "Tables that somebody has open.",
            lambda: sum(bool(room.clients) for room in list(rooms.values())),
        )
        meters.gauge("cupboard_bots_waiting", "Bots that wait for a thread or process.", lambda: bots.waiting)
        meters.gauge("cupboard_bots_thinking", "Bots that think.", lambda: bots.thinking)
        meters.gauge("cupboard_hints_waiting", "Hints queued or thought about.", lambda: hints.waiting)
        for kind in KINDS.values():
            meters.gauge(
                f"cupboard_{kind.name}_processes_busy",
                f"Processes of this server that work on jobs of the kind {kind.name}.",
                partial(self.jobs.running, kind),
            )
        meters.gauge("cupboard_jobs_posted", "Jobs that workers have not answered yet.", lambda: self.jobs.posted)
        if not (cluster := self.cluster).is_alone:
            meters.gauge("cupboard_servers", "Servers on the database.", lambda: cluster.servers)
            meters.gauge("cupboard_leases", "Tables that this server works for.", lambda: cluster.leases)
            meters.gauge("cupboard_database_lost", "1 while it cannot be reached.", lambda: cluster.is_cut_off)
        meters.gauge("cupboard_analyses_under_way", "Analyses somebody waits for.", lambda: analyses.under_way)

    async def work_beside(self) -> None:
        """Stay in touch with workers, and let a process load the games as soon as they are compiled."""
        # A failure of one does not end the other.
        await asyncio.gather(self.jobs.live(), *([self.tables.bots.warm_up()] if self.settings.warm else []))

    async def close(self) -> None:
        """End the processes beside the tables, and close the tables and the database."""
        self.analyses.close()
        self.gallery.close()
        await self.tables.close()
        self.store.close()

    def cookie(self, value: str, person: Person | None = None) -> Cookie:
        """The session cookie, which no script can read and no other site send; without a person it is deleted."""
        return Cookie(
            key=COOKIE,
            value=value,
            max_age=self.people.sessions.seconds_of(person) if person else 0,
            httponly=True,
            samesite="lax",
            secure=self.settings.https or self.public_url.is_https,
            path=f"{self.public_url.prefix}/",
        )


WithServices = NamedDependency[Services]
"""The type of a handler's parameter `services`."""

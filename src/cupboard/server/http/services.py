"""The services of one server: what the handlers of requests may use."""

from __future__ import annotations

from litestar.datastructures import Cookie
from litestar.di import NamedDependency

from cupboard.server.analysis.analyses import Analyses
from cupboard.server.analysis.judge import Judge
from cupboard.server.http.network_access import NetworkAccess
from cupboard.server.limits.rates import Backoff, RateLimits, rates_of
from cupboard.server.people.name_rules import NameRules
from cupboard.server.people.people import People, Person
from cupboard.server.people.sessions import seconds_of
from cupboard.server.people.sign_up import SignUp
from cupboard.server.people.strengths import Strengths
from cupboard.server.pictures.gallery import Gallery
from cupboard.server.settings import ServerSettings
from cupboard.server.store.open_store import open_store
from cupboard.server.table.access import SeatAccess
from cupboard.server.table.lobby import TableLists
from cupboard.server.table.tables import Tables

COOKIE = "cupboard"


class Services:
    """The database, the people, the tables, the limits, the pictures and the analyses of one server."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        names = NameRules(settings.people)
        self.store = open_store(settings)
        self.people = People(self.store, names)
        self.sign_up = SignUp(settings.people)
        self.tables = Tables(self.store, self.people, settings)
        self.access = SeatAccess(self.people)
        self.lists = TableLists(self.store, self.tables, self.access)
        self.strengths = Strengths(self.store)
        self.limits = RateLimits(settings.limited, rates=rates_of(settings.limits))
        self.backoff = Backoff(settings.limited)
        self.trying: set[tuple[str, str]] = set()
        """The pairs of address and username that wait for another try at a password."""
        self.gallery = Gallery()
        self.judge = Judge()
        self.analyses = Analyses(self.judge, settings.analysis_seconds)
        self.network = NetworkAccess(behind_proxy=settings.https)

    async def close(self) -> None:
        """End the processes beside the tables, and close the tables and the database."""
        self.analyses.close()
        await self.judge.close()
        await self.gallery.close()
        await self.tables.close()
        self.store.close()

    def cookie(self, value: str, person: Person | None = None) -> Cookie:
        """The session cookie, which no script can read and no other site send; without a person it is deleted."""
        return Cookie(
            key=COOKIE,
            value=value,
            max_age=seconds_of(person) if person else 0,
            httponly=True,
            samesite="lax",
            secure=self.settings.https,
            path="/",
        )


WithServices = NamedDependency[Services]
"""The type of a handler's parameter `services`."""

"""The address of a database of PostgreSQL, as `--database` has it: checked, and shown without its password."""

from __future__ import annotations

from urllib.parse import quote

from cupboard.server.errors import BadSettings

SCHEMES = ("postgresql://", "postgres://")
_EXAMPLE = "postgresql://user@host/name"


def is_address(text: str) -> bool:
    """Whether a text is meant as the address of a database of PostgreSQL, rather than as a file."""
    return text.startswith(SCHEMES)


def check_address(text: str) -> None:
    """BadSettings when the address makes no sense. What is wrong with it is not quoted: it may be the password."""
    if not is_address(text):
        scheme, found, _ = text.partition("://")
        if not found:
            raise BadSettings(f"database: this is no address of a database. One looks like {_EXAMPLE}.")
        scheme = scheme[:20] if scheme.replace("+", "").isalnum() else "…"
        raise BadSettings(
            f"database: Cupboard knows no databases with {scheme}://. It is postgresql:// for PostgreSQL and what "
            "speaks its language; without --database games are kept in a file."
        )
    _parts(text)


def shown(text: str) -> str:
    """The address without password and options, as a log or a sentence may show it."""
    parts = _parts(text)
    hosts, ports = str(parts.get("host", "")).split(","), str(parts.get("port", "")).split(",")
    if len(ports) == 1:
        ports *= len(hosts)
    places = [
        f"{quote(host, safe=':[]')}{f':{port}' if port else ''}" for host, port in zip(hosts, ports, strict=False)
    ]
    user = quote(str(parts["user"]), safe="") + "@" if parts.get("user") else ""
    return f"postgresql://{user}{','.join(places)}/{quote(str(parts.get('dbname', '')), safe='')}"


def _parts(text: str) -> dict[str, object]:
    import psycopg
    from psycopg.conninfo import conninfo_to_dict

    try:
        return dict(conninfo_to_dict(text))
    except (psycopg.Error, UnicodeError, ValueError):
        raise BadSettings(
            f"database: PostgreSQL cannot read this address. It looks like {_EXAMPLE}; signs such as @ / : % in a "
            "password are written as %40 %2F %3A %25."
        ) from None

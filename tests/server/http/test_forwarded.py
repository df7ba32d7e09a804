"""Who a proxy says is asking: every way to write it is read, and what cannot be read is nobody."""

from __future__ import annotations

import logging
from ipaddress import ip_address
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cupboard.server.errors import BadSettings
from cupboard.server.http.forwarded import address_in, forwarded, x_forwarded_for
from cupboard.server.http.proxies import Proxies, peer_of
from cupboard.server.http.visitor import address_of

ADDRESSES = [
    ("203.0.113.9", "203.0.113.9"),
    ("203.0.113.9:4711", "203.0.113.9"),
    ("2001:DB8::9", "2001:db8::9"),
    ("[2001:db8::9]", "2001:db8::9"),
    ("[2001:db8::9]:4711", "2001:db8::9"),
    ("[2001:db8::9]:_port", "2001:db8::9"),
    ("::ffff:203.0.113.9", "203.0.113.9"),
    ("fe80::1%eth0", "fe80::1"),
    ("unix:", "unix"),
]
NO_ADDRESSES = [
    "",
    "unknown",
    "_hidden",
    "_hidden:80",
    "localhost",
    "unix",
    "1.2.3",
    "1.2.3.4.5",
    "010.0.0.1",
    "1.2.3.4:",
    "1.2.3.4:port",
    "1.2.3.4:999999",
    "[1.2.3.4",
    "[]",
    "[]:80",
    "[[::1]]",
    "a:b:c",
    "1.2.3.4 5.6.7.8",
    '"1.2.3.4"',
    "١.٢.٣.٤",
    "1" * 5000,
]


@pytest.mark.parametrize(("text", "address"), ADDRESSES)
def test_an_address_is_read_with_and_without_port_and_brackets(text: str, address: str) -> None:
    assert address_in(text) == address


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_what_is_hidden_or_malformed_names_nobody(text: str) -> None:
    assert address_in(text) == ""


@given(st.text(max_size=80))
def test_whatever_an_entry_is_it_names_an_address_or_nobody(text: str) -> None:
    found = address_in(text)
    assert found in ("", "unix") or str(ip_address(found)) == found


@pytest.mark.parametrize(
    ("lines", "hops"),
    [
        (["for=203.0.113.9"], [("203.0.113.9", "")]),
        (["For=203.0.113.9;PROTO=https;by=10.0.0.1"], [("203.0.113.9", "https")]),
        (['for="[2001:db8::9]:47"; proto="https"'], [("2001:db8::9", "https")]),
        (["for=203.0.113.9:47"], [("203.0.113.9", "")]),
        (["for=192.0.2.1, for=198.51.100.2"], [("198.51.100.2", ""), ("192.0.2.1", "")]),
        (["for=192.0.2.1", "for=198.51.100.2"], [("198.51.100.2", ""), ("192.0.2.1", "")]),
        ([" , for=192.0.2.1 ,, "], [("192.0.2.1", "")]),
        (['for="192.0.\\2.1"'], [("192.0.2.1", "")]),
        (["for=unknown, for=_gazonk"], [("", ""), ("", "")]),
        (["proto=https"], [("", "https")]),
        (['host="a,b;c=\\"d";for=192.0.2.1'], [("192.0.2.1", "")]),
        # A line that cannot be read is one entry that names nobody: the rest of it may be inside of a quote.
        (['for="192.0.2.1, for=198.51.100.2'], [("", "")]),
        (["for=192.0.2.1;for=198.51.100.2"], [("", "")]),
        (["192.0.2.1"], [("", "")]),
        (["for=192.0.2.1 for=198.51.100.2"], [("", "")]),
        (["for=192.0.2.1", 'for="'], [("", ""), ("192.0.2.1", "")]),
        ([""], []),
    ],
)
def test_forwarded_is_read_as_rfc_7239_says(lines: list[str], hops: list[tuple[str, str]]) -> None:
    assert list(forwarded(lines, 16)) == hops


@given(st.lists(st.text(alphabet='for=;,"\\ 1.[]:_-x\t', max_size=120), max_size=3))
def test_whatever_forwarded_says_is_read_or_named_nobody(lines: list[str]) -> None:
    hops = list(forwarded(lines, 16))
    assert len(hops) <= 16
    assert all(hop.address == "" or ip_address(hop.address) for hop in hops)


QUOTED = st.text(alphabet=st.characters(min_codepoint=32, max_codepoint=255), max_size=20)
V4 = st.ip_addresses(v=4).map(str)
V6 = st.ip_addresses(v=6).map(str).filter(lambda address: not address.startswith("::ffff:"))


@given(st.lists(st.tuples(V4 | V6, QUOTED, st.booleans()), min_size=1, max_size=10))
def test_what_a_proxy_writes_is_read_back(said: list[tuple[str, str, bool]]) -> None:
    def element(address: str, host: str, has_port: bool) -> str:
        node = (f"[{address}]" if ":" in address else address) + (":80" if has_port else "")
        escaped = host.replace("\\", "\\\\").replace('"', '\\"')
        return f'for="{node}";host="{escaped}"'

    line = ", ".join(element(*one) for one in said)
    assert [hop.address for hop in forwarded([line], 16)] == [address for address, *_ in reversed(said)]
    listed = ", ".join(address for address, *_ in said)
    assert [hop.address for hop in x_forwarded_for(listed, 16)] == [address for address, *_ in reversed(said)]


def test_of_too_many_entries_the_nearest_are_read() -> None:
    line = ",".join(f"10.0.0.{n}" for n in range(200))
    assert [hop.address for hop in x_forwarded_for(line, 3)] == ["10.0.0.199", "10.0.0.198", "10.0.0.197"]
    elements = ",".join(f"for=10.0.0.{n}" for n in range(200))
    assert [hop.address for hop in forwarded([elements], 2)] == ["10.0.0.199", "10.0.0.198"]


# Who it is, then.

PEER = "10.0.0.1"


def seen(
    proxies: Proxies, *headers: tuple[str, str], peer: str = PEER, kind: str = "http", method: str = "GET"
) -> dict[str, Any]:
    scope = {
        "type": kind,
        "method": method,
        "scheme": "http" if kind == "http" else "ws",
        "client": (peer, 5),
        "server": ("10.0.0.2", 8000),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
    }
    proxies.see_through(scope)
    return scope


def client(*headers: tuple[str, str], trusted: tuple[str, ...] = ("10.0.0.0/24",), peer: str = PEER) -> str:
    return str(seen(Proxies(trusted), *headers, peer=peer)["client"][0])


XFF, RFC = "x-forwarded-for", "forwarded"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], PEER),
        ([(XFF, "203.0.113.9")], "203.0.113.9"),
        ([(XFF, "6.6.6.6, 203.0.113.9")], "203.0.113.9"),  # a stranger wrote the first before the proxy the second
        ([(XFF, "6.6.6.6"), (XFF, "203.0.113.9")], "203.0.113.9"),
        ([(XFF, "203.0.113.9, 10.0.0.7, 10.0.0.8")], "203.0.113.9"),  # three proxies in a row
        ([(XFF, "10.0.0.9, 10.0.0.8")], "10.0.0.9"),  # somebody at a proxy's own computer
        ([(XFF, "203.0.113.9, unknown")], PEER),  # whoever it is, the proxy does not say
        ([(XFF, "203.0.113.9, unknown, 10.0.0.7")], "10.0.0.7"),
        ([(XFF, "203.0.113.9,")], PEER),
        ([(XFF, "")], PEER),
        ([(XFF, "x" * 9000)], PEER),
        ([(XFF, ",".join(["203.0.113.9"] + ["10.0.0.7"] * 500))], "10.0.0.7"),
        ([(RFC, "for=6.6.6.6, for=203.0.113.9")], "203.0.113.9"),
        ([(RFC, 'for="6.6.6.6, for=203.0.113.9')], PEER),
        ([(RFC, "for=203.0.113.9"), (XFF, "203.0.113.9")], "203.0.113.9"),
        ([(RFC, "for=6.6.6.6"), (XFF, "203.0.113.9")], PEER),  # the proxy did not write both
        ([(RFC, "for=_hidden"), (XFF, "203.0.113.9")], PEER),
    ],
)
def test_it_is_the_rightmost_that_is_no_proxy(headers: list[tuple[str, str]], found: str) -> None:
    assert client(*headers) == found


@pytest.mark.parametrize("peer", ["10.0.1.1", "203.0.113.7", "2001:db8::1"])
def test_a_stranger_is_who_they_are_whatever_they_say(peer: str) -> None:
    assert client((XFF, "10.9.9.9"), (RFC, "for=10.9.9.9"), peer=peer) == peer


@given(st.lists(st.tuples(st.sampled_from([XFF, RFC]), st.text(st.characters(max_codepoint=255), max_size=200))))
def test_whatever_a_proxy_passes_on_somebody_is_counted(headers: list[tuple[str, str]]) -> None:
    scope = seen(Proxies(["loopback", "10.0.0.0/24"]), *headers)
    assert ip_address(address_of(scope))


def test_only_the_nearest_unix_socket_of_a_declared_proxy_is_passed_over() -> None:
    assert client((XFF, "203.0.113.9, unix:"), trusted=(PEER, "unix")) == "203.0.113.9"
    assert client((XFF, "203.0.113.9, unix:"), trusted=(PEER,)) == PEER


@pytest.mark.parametrize(
    ("names", "peers", "strangers"),
    [
        (["127.0.0.1"], ["127.0.0.1", "::ffff:127.0.0.1"], ["127.0.0.2", "::1"]),
        (["loopback"], ["127.0.0.1", "127.9.9.9", "::1"], ["10.0.0.1"]),
        ([" 10.0.0.0/8 ", "2001:DB8::/32"], ["10.9.9.9", "2001:db8::5"], ["11.0.0.1", "2001:db9::1"]),
        (["fe80::/10"], ["fe80::1%eth0"], ["fec0::1"]),
        ([], [], ["127.0.0.1"]),
    ],
)
def test_proxies_are_addresses_and_networks(names: list[str], peers: list[str], strangers: list[str]) -> None:
    for peer in peers + strangers:
        assert Proxies(names).believes(peer_of((peer, 5), ("10.0.0.2", 8000))) is (peer in peers), peer


def test_a_unix_socket_is_known_by_its_path_not_by_a_missing_address() -> None:
    proxies = Proxies(["unix"])
    assert proxies.believes(peer_of(None, ("/run/cupboard.sock", None)))
    for server in (("10.0.0.2", 8000), None):  # a connection over TCP that broke at once has no address, either
        assert not proxies.believes(peer_of(None, server))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("proxy.example", "'proxy.example' is neither an address"),
        ("10.0.0.1/8", "write 10.0.0.1 or 10.0.0.0/8"),
        ("10.0.0.0/33", "neither"),
        ("*", "neither"),
        ("", "neither"),
        ("0.0.0.0/0", "all addresses there are"),
        ("::/0", "all addresses there are"),
    ],
)
def test_what_is_no_proxy_is_a_sentence(name: str, sentence: str) -> None:
    with pytest.raises(BadSettings, match="behind-proxy: ") as refused:
        Proxies(["127.0.0.1", name])
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("headers", "scheme"),
    [
        ([("x-forwarded-proto", "https")], "https"),
        ([("x-forwarded-proto", "gopher")], "http"),
        ([("x-forwarded-proto", "HTTPS ")], "https"),
        ([(RFC, "for=203.0.113.9;proto=https")], "https"),
        ([(RFC, "for=203.0.113.9;proto=file")], "http"),
    ],
)
def test_the_scheme_is_what_the_proxy_says(headers: list[tuple[str, str]], scheme: str) -> None:
    assert seen(Proxies([PEER]), *headers)["scheme"] == scheme
    assert seen(Proxies([PEER]), *headers, kind="websocket")["scheme"] == scheme.replace("http", "ws")
    assert seen(Proxies([]), *headers)["scheme"] == "http"


def test_a_proxy_that_is_not_declared_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    proxies = Proxies([])
    with caplog.at_level(logging.WARNING):
        for _ in range(1000):
            seen(proxies, (XFF, "203.0.113.9"))
            seen(proxies, (XFF, "203.0.113.9"), peer="8.8.8.8")  # from the internet: a stranger's idea
            seen(proxies)
    (record,) = caplog.records
    assert "--behind-proxy 10.0.0.1" in record.getMessage() and 'behind-proxy = ["10.0.0.1"]' in record.getMessage()


def test_strangers_cannot_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    proxies = Proxies([])
    with caplog.at_level(logging.WARNING):
        for n in range(200):
            seen(proxies, (XFF, "203.0.113.9"), peer=f"192.168.0.{n}")
    assert 0 < len(caplog.records) < 10


def test_a_proxy_that_does_not_say_who_asks_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    proxies = Proxies([PEER])
    with caplog.at_level(logging.WARNING):
        seen(proxies)  # somebody looks whether all is well
        seen(proxies, (XFF, "203.0.113.9"), method="POST")
        seen(proxies, method="POST", peer="8.8.8.8")
        assert not caplog.records
        for _ in range(100):
            seen(proxies, ("x-forwarded-proto", "https"), method="POST")
            seen(proxies, kind="websocket")
    (record,) = caplog.records
    assert "proxy_set_header X-Forwarded-For" in record.getMessage()


def test_a_proxy_that_passes_on_what_it_did_not_write_is_logged_with_the_cure(caplog: pytest.LogCaptureFixture) -> None:
    proxies = Proxies([PEER])
    with caplog.at_level(logging.WARNING):
        for n in range(100):
            seen(proxies, (XFF, "203.0.113.9"), (RFC, f"for=6.6.6.{n}"))
    (record,) = caplog.records
    assert 'proxy_set_header Forwarded "";' in record.getMessage()

"""A site as docs/hosting.md describes it: the real program on a socket of systemd's kind, behind a real nginx or Caddy.

The blocks of that page are used as they are printed, but for names of files, ports and certificates.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import trustme

DOCS = Path(__file__).parents[2] / "docs" / "hosting.md"
NAME = "games.example"
_START = "import os, sys; os.environ['LISTEN_PID'] = str(os.getpid()); os.execv(sys.argv[1], sys.argv[1:])"
_CLI = "from cupboard.cli import main; main()"
SETTINGS = """
data = "data"
url = "{url}"
behind-proxy = ["unix"]
bot-pause = 0.05
warm = false
patience = 180.0
{more}
"""
"""What is not as shipped: bots do not pause, and nothing is compiled that no test plays."""


def block(kind: str) -> str:
    """The block of a kind, such as `nginx`, that docs/hosting.md prints; there is one of each."""
    found: list[str] = re.findall(rf"^```{re.escape(kind)}\n(.*?)^```$", DOCS.read_text(encoding="utf-8"), re.M | re.S)
    assert len(found) == 1, f"{len(found)} blocks of {kind}"
    return found[0]


class Site:
    """The program behind a proxy, at `url`. The socket between them stays open while the program is replaced."""

    kind = ""

    def __init__(self, folder: Path, path: str = "/", more: str = "") -> None:
        if not shutil.which(self.kind):
            pytest.skip(f"{self.kind} is not installed (apt-get install {self.kind})")
        self.folder = folder
        self.path = path
        self.port = _free_port()
        self.url = f"https://{NAME}:{self.port}{path}"
        self._write_certificate()
        (folder / "cupboard.toml").write_text(SETTINGS.format(url=self.url, more=more), encoding="utf-8")
        # Debian's nginx has workers of another user, who may not look into the folders of tests.
        self._public = tempfile.TemporaryDirectory()
        self.public = Path(self._public.name)
        self.public.chmod(0o755)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(self.public / "cupboard.sock"))
        (self.public / "cupboard.sock").chmod(0o666)
        self._socket.listen(256)
        self.start()
        self.proxy = self._start_proxy()
        self._wait()

    def start(self) -> None:
        """Start the program as systemd does: with the listening socket as file 3."""
        command = [
            sys.executable,
            "-c",
            _CLI,
            "serve",
            "--settings",
            str(self.folder / "cupboard.toml"),
            "--no-browser",
        ]

        def hand_over() -> None:
            os.dup2(self._socket.fileno(), 3)

        self.log = (self.folder / "log").open("a")
        self.program = subprocess.Popen(
            [sys.executable, "-c", _START, *command],
            stdout=self.log,
            stderr=subprocess.STDOUT,
            pass_fds=(3,),
            preexec_fn=hand_over,
            env={**os.environ, "LISTEN_FDS": "1"},
        )

    def stop(self) -> None:
        """End the program as `systemctl stop` does."""
        self.program.send_signal(signal.SIGTERM)
        assert self.program.wait(60) == 0, (self.folder / "log").read_text()
        self.log.close()

    def close(self) -> None:
        """End everything."""
        self.proxy.terminate()
        self.proxy.wait(60)
        self.program.kill()
        self.program.wait(60)
        self.log.close()
        self._socket.close()
        self._public.cleanup()

    def visitor(self, address: str = "127.0.0.1", **more: Any) -> httpx.Client:
        """An HTTP client with its own cookies, from an address of its own."""
        transport = httpx.HTTPTransport(local_address=address, verify=self.trust())
        site = f"https://127.0.0.1:{self.port}{self.path}"
        extensions = {"sni_hostname": NAME}
        client = httpx.Client(
            base_url=site, transport=transport, timeout=180, headers={"host": f"{NAME}:{self.port}"}, **more
        )
        client.event_hooks["request"].append(lambda request: request.extensions.update(extensions))
        return client

    def trust(self) -> Any:
        """What makes a client believe the site's certificate."""
        import ssl

        return ssl.create_default_context(cafile=str(self.folder / "ca.pem"))

    def _write_certificate(self) -> None:
        authority = trustme.CA()
        authority.cert_pem.write_to_path(str(self.folder / "ca.pem"))
        mine = authority.issue_cert(NAME)
        mine.private_key_pem.write_to_path(str(self.folder / "key.pem"))
        for at, blob in enumerate(mine.cert_chain_pems):
            blob.write_to_path(str(self.folder / "cert.pem"), append=at > 0)

    def _start_proxy(self) -> subprocess.Popen[bytes]:
        raise NotImplementedError

    def _wait(self) -> None:
        end = time.monotonic() + 180
        while True:
            try:
                # The scene is there when the game's rules are compiled, so that no page waits for that later.
                with self.visitor() as http:
                    if http.get("api/games/jumping-cups/scene").status_code == 200:
                        return
            except httpx.TransportError:
                pass
            assert self.proxy.poll() is None, f"{self.kind} has ended: {(self.folder / 'proxy.log').read_text()}"
            assert self.program.poll() is None and time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.1)

    def _run(self, *words: str, **more: Any) -> subprocess.Popen[bytes]:
        """Start the proxy; what it says is kept."""
        with (self.folder / "proxy.log").open("a") as log:
            return subprocess.Popen(words, stderr=log, **more)


class Nginx(Site):
    """Debian's nginx, with the block of the docs."""

    kind = "nginx"

    def _start_proxy(self) -> subprocess.Popen[bytes]:
        text = block("nginx")
        if self.path != "/":
            text = re.sub(r"    location / \{.*?\n    \}\n", lambda _: self._at_path(), text, flags=re.S)
        text = re.sub(r"server \{\s+listen 80;.*?\n\}\n", "", text, flags=re.S)
        text = re.sub(r"\n    listen \[::\].*", "", text).replace("listen 443", f"listen 127.0.0.1:{self.port}")
        text = text.replace("/etc/letsencrypt/live/games.example/fullchain.pem", str(self.folder / "cert.pem"))
        text = text.replace("/etc/letsencrypt/live/games.example/privkey.pem", str(self.folder / "key.pem"))
        text = text.replace("/run/cupboard.sock", str(self.public / "cupboard.sock"))
        assert "letsencrypt" not in text and "/run/" not in text and "listen 80" not in text
        places = "".join(
            f"{kind}_temp_path {self.public}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        conf = self.folder / "nginx.conf"
        conf.write_text(
            f"daemon off; pid {self.folder}/nginx.pid; error_log {self.folder}/nginx.log;"
            f"events {{ worker_connections 2048; }} http {{ access_log off; {places}\n{text}\n}}"
        )
        return self._run("nginx", "-c", str(conf), "-p", str(self.folder))

    def _at_path(self) -> str:
        return block("nginx-path").replace("/cupboard/", self.path)

    def reload(self) -> None:
        """Have nginx read its configuration again: new workers take over, old ones end."""
        self.proxy.send_signal(signal.SIGHUP)


class Caddy(Site):
    """Debian's Caddy, with the block of the docs and a certificate of its own making."""

    kind = "caddy"

    def _start_proxy(self) -> subprocess.Popen[bytes]:
        text = block("caddyfile" if self.path == "/" else "caddyfile-path")
        text = re.sub(r"^\w+\.example \{", lambda _: f"https://{NAME}:{self.port} {{\n\ttls internal", text, flags=re.M)
        text = text.replace("/run/cupboard.sock", str(self.public / "cupboard.sock")).replace("/cupboard/", self.path)
        conf = self.folder / "Caddyfile"
        conf.write_text("{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n" + text)
        home = {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}
        return self._run("caddy", "run", "--config", str(conf), "--adapter", "caddyfile", env=os.environ | home)

    def trust(self) -> Any:
        """What makes a client believe Caddy's own certificate: nothing is checked."""
        return False


def _free_port() -> int:
    """A port that is free, of those that the system gives to no connection: a proxy that is restarted finds it free."""
    while True:
        port = random.randrange(15_000, 30_000)
        with socket.socket() as free, suppress(OSError):
            free.bind(("127.0.0.1", port))
            return port


@contextmanager
def standing(kind: type[Site], folder: Path, path: str = "/", more: str = "") -> Iterator[Any]:
    """A site of this kind, which is closed in the end."""
    site = kind(folder, path, more)
    try:
        yield site
    finally:
        site.close()

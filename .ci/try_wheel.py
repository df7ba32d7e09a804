"""Plays with an installed Cupboard as a stranger would: a server that is started, a table, a move each way.

Run it with the Python that Cupboard was installed into, in any folder but the sources'. It uses nothing that the wheel
does not bring along.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from pathlib import Path
from random import Random
from typing import Any

from websockets.sync.client import connect

import cupboard

PROGRAM = Path(sys.executable).with_name("cupboard")
PATIENCE = 300
"""Seconds; a machine that has compiled nothing yet needs a minute or two."""


def main() -> None:
    """Try everything, in a home of its own."""
    assert "site-packages" in cupboard.__file__, f"{cupboard.__file__} is not an installed Cupboard"
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"HOME": home, "XDG_DATA_HOME": f"{home}/data"}
        os.chdir(home)
        play_in_a_terminal(Path(home) / "one.game")
        play_in_a_browser()
        flick_a_bucket()
    print(f"Cupboard {cupboard.__version__} as installed plays in a terminal and in a browser.")


def play_in_a_terminal(file: Path) -> None:
    """One move through `cupboard play`."""
    command = [PROGRAM, "play", "jumping-cups", "--seats", "human,human", "--option", "starter=red", "--save", file]
    done = subprocess.run(command, input="5-6\n", capture_output=True, encoding="utf-8", timeout=PATIENCE)
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert "A:5-6" in file.read_text(encoding="utf-8"), done.stdout


def flick_a_bucket() -> None:
    """A flick of Cup King, drawn from the odds that the wheel brings along, and simulated by the engine it needs."""
    whole = "RYGBP/RYGB/RYG/BP/P"
    position = cupboard.load("cup-king").read(f"{whole};{whole} G1;G2 P5;- - >P settle-B:e1 1:0,0 5")
    assert str(position.chance(Random(1))).startswith("settle-B:")
    assert str(position.simulate(Random(1)).move).endswith(";engine")


def play_in_a_browser() -> None:
    """One move through a server's socket, at a table laid by HTTP; the page is there, too."""
    server = subprocess.Popen([PROGRAM, "--no-browser"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert server.stdout is not None
    try:
        said = ""
        while not (found := re.search(r"http://127\.0\.0\.1:(\d+)/", said)):
            line = server.stdout.readline()
            assert line, f"The server did not start: {said}"
            said += line
        address = found[0].rstrip("/")
        page = urllib.request.urlopen(address, timeout=PATIENCE).read().decode()
        script = re.search(r'src="(/assets/[^"]+)"', page)
        assert script, page
        assert urllib.request.urlopen(address + script[1], timeout=PATIENCE).status == 200
        move_once(address)
    finally:
        server.terminate()
        rest = server.communicate(timeout=30)[0]
    assert server.returncode == 0 and "Traceback" not in said + rest, said + rest


def move_once(address: str) -> None:
    """Lay a table, say hello at its socket, move, and see the move come back."""
    wanted = {"game": "jumping-cups", "seats": [{"kind": "me"}, {"kind": "me"}], "options": {"starter": "red"}}
    request = urllib.request.Request(
        f"{address}/api/tables", json.dumps(wanted).encode(), {"content-type": "application/json"}
    )
    made: dict[str, Any] = json.load(urllib.request.urlopen(request, timeout=PATIENCE))
    socket = f"{address.replace('http', 'ws', 1)}/api/tables/{made['table']['id']}/socket"
    with connect(socket, compression=None) as line:
        line.send(json.dumps({"type": "hello", "tokens": [made["keys"][0]["token"]], "version": 0}))
        update = until(line, "update")
        line.send(json.dumps({"type": "move", "id": 1, "text": "5-6", "version": update["version"]}))
        answer = until(line, "update")
    assert answer["events"][-1]["text"] == "5-6", answer


def until(line: Any, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(line.recv(timeout=PATIENCE))
        assert message["type"] != "refused", message
        if message["type"] == kind:
            return message


if __name__ == "__main__":
    main()

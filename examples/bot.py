"""A bot in thirty lines: joins a table by a seat's token and plays moves at random.

python examples/bot.py http://127.0.0.1:8000 TABLE TOKEN
"""

import asyncio
import json
import random
import sys
from typing import Any

from websockets.asyncio.client import connect


def choose(update: dict[str, Any], letters: dict[str, str]) -> str:
    """Replace this by something clever: `update` has the moves, and the scene or what has changed of it."""
    if filling := update.get("filling"):  # Cup King's pyramid: too many to list, so fill in the suggested one
        return str(filling["pattern"]).format(*(letters[tint] for tint in filling["suggestion"]))
    safe = [move for move in update["moves"] if "warning" not in move] or update["moves"]
    return str(random.choice(safe)["text"])


async def play(server: str, table: str, token: str) -> None:
    async with connect(f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket") as socket:
        await socket.send(json.dumps({"type": "hello", "tokens": [token]}))
        letters: dict[str, str] = {}
        async for data in socket:
            message = json.loads(data)
            # Where all act at once, news of the others arrives while our own move is on its way.
            if message["type"] == "refused" and message["code"] not in ("stale", "not-your-turn"):
                print(message["sentence"])
            if message["type"] != "update":
                continue
            if "scene" in message:  # the first update; later ones say what has changed
                letters = {tint["name"]: tint["letter"] for tint in message["scene"]["tints"]}
            if message["status"] == "over":
                print(message["outcome"]["reason"])
                return
            if message["seat"] in message.get("asked", ()):
                move = {"type": "move", "text": choose(message, letters), "version": message["version"]}
                await socket.send(json.dumps(move))


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:4]))

"""A bot in thirty lines: joins a table by a seat's token and plays moves at random.

python examples/bot.py http://127.0.0.1:8000 TABLE TOKEN
"""

import asyncio
import json
import random
import sys
from typing import Any

from websockets.asyncio.client import connect


def choose(update: dict[str, Any]) -> str:
    """Replace this by something clever: `update` has the scene, the moves and everything the seat may know."""
    if "arrange" in update:  # Cup King's pyramid: too many to list, so fill in the suggested one
        letters = update["arrange"]["letters"]
        return str(update["arrange"]["pattern"]).format(*(letters[tint] for tint in update["arrange"]["suggestion"]))
    safe = [move for move in update["moves"] if "warning" not in move] or update["moves"]
    return str(random.choice(safe)["text"])


async def play(server: str, table: str, token: str) -> None:
    async with connect(f"{server.replace('http', 'ws', 1)}/api/tables/{table}/socket") as socket:
        await socket.send(json.dumps({"type": "hello", "tokens": [token]}))
        async for data in socket:
            message = json.loads(data)
            # Where all act at once, news of the others arrives while our own move is on its way.
            if message["type"] == "refused" and message["code"] not in ("stale", "not-your-turn"):
                print(message["sentence"])
            if message["type"] != "update":
                continue
            if message["status"] == "over":
                print(message["outcome"]["reason"])
                return
            if message["seat"] in message.get("asked", ()):
                await socket.send(json.dumps({"type": "move", "text": choose(message), "version": message["version"]}))


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:4]))

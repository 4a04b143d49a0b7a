"""A webhook receiver as people write it with FastAPI and SQLite: one durable transaction for each request.

Arguments: the secret, the file.
"""

import hashlib
import hmac
import os
import socket
import sqlite3
import sys
import threading
import time

import uvicorn
from fastapi import FastAPI, Request, Response

secret, file = sys.argv[1].encode(), sys.argv[2]
database = sqlite3.connect(file, isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA synchronous = FULL")
database.execute(
    "CREATE TABLE delivery (seq INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, body BLOB NOT NULL)"
)
app = FastAPI()


@app.post("/webhook/bench")
async def receive(request: Request) -> Response:
    body = await request.body()
    expected = "sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(request.headers.get("x-hub-signature-256", ""), expected):
        return Response(status_code=401)
    database.execute(
        "INSERT INTO delivery (received_at, body) VALUES (?, ?)", (int(time.time() * 1000), body)
    )
    return Response()


def end_with_input() -> None:
    sys.stdin.read()
    os._exit(0)


listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(1024)
threading.Thread(target=end_with_input, daemon=True).start()
print(f"127.0.0.1:{listener.getsockname()[1]} /webhook/bench", flush=True)
uvicorn.Server(uvicorn.Config(app, loop="uvloop", http="httptools", log_level="warning")).run(sockets=[listener])

// A webhook receiver as people write it with Express and SQLite: one durable transaction for each request.
// Arguments: the secret, the file.

import { createHmac, timingSafeEqual } from "node:crypto";
import Database from "better-sqlite3";
import express from "express";

const [secret, file] = process.argv.slice(2);
const database = new Database(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec("CREATE TABLE delivery (seq INTEGER PRIMARY KEY, received_at INTEGER NOT NULL, body BLOB NOT NULL) STRICT");
const insert = database.prepare("INSERT INTO delivery (received_at, body) VALUES (?, ?)");

const app = express();
app.post("/webhook/bench", express.raw({ type: "*/*", limit: "4mb" }), (request, response) => {
  const expected = Buffer.from(`sha256=${createHmac("sha256", secret).update(request.body).digest("hex")}`);
  const given = Buffer.from(request.get("x-hub-signature-256") ?? "");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return response.sendStatus(401);
  insert.run(Date.now(), request.body);
  response.status(200).end();
});
const server = app.listen(0, "127.0.0.1", () => console.log(`127.0.0.1:${server.address().port} /webhook/bench`));
process.stdin.on("end", () => process.exit()).resume();

// What each test file asked the rules server, with a digest of the answer. After a change of Rust alone, only the files that
// would get another answer run again. `make test` names the folder of the records in `RULES_ANSWERS`.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import type { RulesServer } from "./rules-server.ts";

interface Answer {
  status: number;
  body: string;
}

interface Asked {
  name: string;
  body: string;
  digest: string;
}

interface Record {
  /** The test file, relative to `ui`. */
  file: string;
  asked: Asked[];
}

const digest = (text: string) => createHash("sha256").update(text).digest("base64url");
const digestOf = ({ status, body }: Answer) => digest(`${status} ${body}`);
const keyOf = ({ name, body }: { name: string; body: string }) => digest(`${name} ${body}`);

/** Posts `body` to `/name`, with Node's client: CORS and fake timers do not affect it. */
export function postTo(address: string, name: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, method: "POST", headers: { "content-type": "application/json" } };
    const sent = request(`${address}/${name}`, options, (response: IncomingMessage) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") }),
      );
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Collects what a test file asks, and writes it into `folder` at its end. */
export class AnswerRecord {
  private readonly asked = new Map<string, Asked>();

  add(name: string, body: string, answer: Answer): void {
    this.asked.set(keyOf({ name, body }), { name, body, digest: digestOf(answer) });
  }

  write(folder: string, file: string): void {
    mkdirSync(folder, { recursive: true });
    const record: Record = { file, asked: [...this.asked.values()] };
    writeFileSync(join(folder, `${digest(file)}.json`), JSON.stringify(record));
  }
}

/**
 * The files of `folder` that the rules server would answer in another way, and those that read Rust themselves; nothing if
 * one of them was removed or moved, since the records are not those of the files then.
 */
export async function filesWithOtherAnswers(folder: string, server: RulesServer): Promise<string[] | undefined> {
  const known = new Map<string, Promise<string>>();
  const ask = (asked: Asked) => {
    const key = keyOf(asked);
    const answer = known.get(key) ?? postTo(server.address, asked.name, asked.body).then(digestOf);
    known.set(key, answer);
    return answer;
  };
  const changed: string[] = [];
  for (const name of readdirSync(folder)) {
    const { file, asked }: Record = JSON.parse(readFileSync(join(folder, name), "utf8"));
    if (!existsSync(file)) return undefined;
    let isSame = !readFileSync(file, "utf8").includes("../src-tauri/");
    for (const one of asked) isSame &&= (await ask(one)) === one.digest;
    if (!isSame) changed.push(file);
  }
  return changed;
}

import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AnswerRecord, filesWithOtherAnswers, postTo } from "./answers";

let answers: Record<string, string>;
let folder: string;
const http = createServer((request, response) => response.end(answers[request.url ?? ""]));
let server: { address: string; stop: () => Promise<void> };

beforeEach(async () => {
  answers = { "/inspect": "no finding", "/render": "a bubble" };
  folder = mkdtempSync(join(tmpdir(), "answers-"));
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  server = { address: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, stop: async () => undefined };
});

afterEach(() => {
  http.close();
  rmSync(folder, { recursive: true });
});

async function record(file: string, names: string[]) {
  const asked = new AnswerRecord();
  for (const name of names) asked.add(name, "{}", await postTo(server.address, name, "{}"));
  asked.write(folder, file);
}

it("finds the test files that would get another answer, and those that read Rust", async () => {
  await record("test/rules-server.ts", ["inspect", "render"]);
  await record("test/fixtures.ts", ["render"]);
  await record("test/lay-out.ts", []);
  const readsRust = "src/features/sends/problems.test.ts";
  await record(readsRust, []);
  expect(await filesWithOtherAnswers(folder, server)).toEqual([readsRust]);
  answers = { ...answers, "/inspect": "one finding" };
  expect((await filesWithOtherAnswers(folder, server))?.sort()).toEqual([readsRust, "test/rules-server.ts"]);
  await record("test/moved-away.test.ts", []);
  expect(await filesWithOtherAnswers(folder, server)).toBeUndefined();
});

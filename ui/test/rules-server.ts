// Starts the rules server: the example `rules_server` of the crate `outgoing`.

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface RulesServer {
  /** `http://127.0.0.1:PORT`. */
  address: string;
  stop(): Promise<void>;
}

const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));

// The packages and features of `make test`, so that cargo compiles dependencies once.
const BUILD = ["build", "--locked", "--quiet", "--workspace", "--features", "custom-protocol"];

/** Starts the program that `RULES_SERVER` names, else builds it first. It stops with this process at the latest. */
export async function startRulesServer(): Promise<RulesServer> {
  const child = spawn(process.env.RULES_SERVER || (await build()), { stdio: ["pipe", "pipe", "inherit"] });
  const exit = once(child, "exit");
  const exited = exit.then(([code]) => {
    throw new Error(`The rules server stopped with exit code ${code} before it was ready.`);
  });
  const [address] = await Promise.race([once(createInterface(child.stdout), "line"), exited]);
  exited.catch(() => undefined);
  const stop = async () => {
    child.stdin.end();
    await exit;
  };
  return { address, stop };
}

/** The path of the built program. */
async function build(): Promise<string> {
  const args = [...BUILD, "--example", "rules_server", "--message-format", "json-render-diagnostics"];
  const messages = await new Promise<string>((resolve, reject) => {
    execFile("cargo", args, { cwd: REPOSITORY, maxBuffer: Number.POSITIVE_INFINITY }, (error, stdout, stderr) => {
      if (!error) resolve(stdout);
      else if (error.code === "ENOENT") {
        reject(new Error("The UI's tests need Rust: install it from https://rustup.rs, then try again."));
      } else reject(new Error(`The rules server cannot be built:\n${stderr}`));
    });
  });
  for (const line of messages.split("\n")) {
    const { target, executable } = line === "" ? {} : JSON.parse(line);
    if (executable && target.name === "rules_server") return executable;
  }
  throw new Error("cargo built no rules_server.");
}

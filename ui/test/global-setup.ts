import type { TestProject } from "vitest/node";
import { startRulesServer } from "./rules-server";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of the rules server. */
    rulesServer: string;
  }
}

/** Starts one rules server for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { address, stop } = await startRulesServer();
  project.provide("rulesServer", address);
  return stop;
}

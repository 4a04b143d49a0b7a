// In the isolation frame a call costs time with every byte, and while a person types, a whole draft is sent several times
// a second. So such a request is sent as a patch of the one before (`src-tauri/src/request_patches.rs`).

import type { CommandName } from "./host";

/** Commands that are called again and again with almost the same request. The host has the same list. */
const PATCHED: ReadonlySet<CommandName> = new Set<CommandName>(["inspect_template", "save_draft"]);

/** A patch of more values is not worth it. */
const MAX_REPLACEMENTS = 8;

/** How the host refuses a patch of another request than its last one: an earlier call failed, or calls overtook each other. */
const BASE_MISMATCH = "the patch is not of the last request";

interface Replacement {
  /** JSON pointer (RFC 6901) to a value that exists. */
  path: string;
  value: unknown;
}

type Invoke = (command: CommandName, payload: Record<string, unknown>) => Promise<unknown>;

/**
 * Calls commands through `invoke`, with the whole request or a patch of the last one. A request must not be modified after
 * its call: the next one is compared with it.
 */
export function patchRequests(invoke: Invoke): (command: CommandName, request: object) => Promise<unknown> {
  const bases = new Map<CommandName, { revision: number; request: object }>();
  // Not from 1: a page that was loaded again must not repeat the revisions of the one before.
  let latest = Date.now();
  return async (command, request) => {
    if (!PATCHED.has(command)) return invoke(command, { request });
    const call = async (patch: Replacement[] | undefined, base?: number) => {
      latest += 1;
      const revision = latest;
      bases.set(command, { revision, request });
      try {
        return await invoke(command, patch ? { patch, base, revision } : { request, revision });
      } catch (reason) {
        // It may not have arrived. The next request is whole.
        if (bases.get(command)?.revision === revision) bases.delete(command);
        throw reason;
      }
    };
    const base = bases.get(command);
    const patch = base && patchOf(base.request, request);
    if (!patch) return call(undefined);
    return call(patch, base.revision).catch((reason: unknown) => {
      if (reason !== BASE_MISMATCH) throw reason;
      return call(undefined);
    });
  };
}

/** What makes `now` of `before`, both as JSON; `undefined` when that is everything, or a lot. */
export function patchOf(before: object, now: object): Replacement[] | undefined {
  const patch: Replacement[] = [];
  compare(before, now, "", patch);
  const isWorthIt = patch.length <= MAX_REPLACEMENTS && patch.every(({ path }) => path !== "");
  return isWorthIt ? patch : undefined;
}

function compare(before: unknown, now: unknown, path: string, patch: Replacement[]): void {
  if (before === now || patch.length > MAX_REPLACEMENTS) return;
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length) {
    for (const [index, item] of now.entries()) compare(before[index], item, `${path}/${index}`, patch);
  } else if (isFields(before) && isFields(now) && haveSameKeys(before, now)) {
    for (const key of Object.keys(now)) compare(before[key], now[key], `${path}/${escaped(key)}`, patch);
  } else {
    // `undefined` in a list is sent as `null`.
    patch.push({ path, value: now === undefined ? null : now });
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Also in the same order, which the host keeps. A field without a value is not sent, so it counts as none. */
function haveSameKeys(before: Record<string, unknown>, now: Record<string, unknown>): boolean {
  const keys = sentKeys(now);
  const earlier = sentKeys(before);
  return keys.length === earlier.length && keys.every((key, index) => key === earlier[index]);
}

function sentKeys(fields: Record<string, unknown>): string[] {
  return Object.keys(fields).filter((key) => fields[key] !== undefined);
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

// In the isolation frame a call costs time with every byte, and while a person types, a whole draft is sent several times
// a second. So such a request travels as its changes since the one before (`src-tauri/src/request_changes.rs`).

import type { CommandName } from "./host";

/** The commands that are called again and again with almost the same request. */
const OFTEN: ReadonlySet<CommandName> = new Set<CommandName>(["inspect_template", "save_draft"]);

/** More changes than this are not worth it. */
const MAX_CHANGES = 8;

/** How the host says that it has another last request, or none: it was started over, or calls overtook each other. */
const OTHER_BASE = "the changes are not of the last request";

type Path = (string | number)[];
type Change = [Path, unknown];
type Invoke = (command: CommandName, payload: Record<string, unknown>) => Promise<unknown>;

/** Sends requests through `invoke`, whole or as their changes. */
export function changesOnly(invoke: Invoke): (command: CommandName, request: object) => Promise<unknown> {
  const last = new Map<CommandName, { number: number; request: object }>();
  // A page that was loaded again does not repeat the numbers of the one before.
  let latest = Date.now();
  const whole = (command: CommandName, request: object) => {
    latest += 1;
    last.set(command, { number: latest, request });
    return invoke(command, { request, number: latest });
  };
  return async (command, request) => {
    if (!OFTEN.has(command)) return invoke(command, { request });
    const base = last.get(command);
    const set = base && changesBetween(base.request, request);
    if (!set) return whole(command, request);
    latest += 1;
    last.set(command, { number: latest, request });
    try {
      return await invoke(command, { changes: { base: base.number, set }, number: latest });
    } catch (reason) {
      if (reason !== OTHER_BASE) throw reason;
      return whole(command, request);
    }
  };
}

/** What makes `now` of `before`; `undefined` when that is everything, or a lot. */
export function changesBetween(before: object, now: object): Change[] | undefined {
  const changes: Change[] = [];
  compare(before, now, [], changes);
  const isWorthIt = changes.length <= MAX_CHANGES && changes.every(([path]) => path.length > 0);
  return isWorthIt ? changes : undefined;
}

function compare(before: unknown, now: unknown, path: Path, changes: Change[]): void {
  if (before === now || changes.length > MAX_CHANGES) return;
  if (Array.isArray(before) && Array.isArray(now) && before.length === now.length) {
    for (const [index, item] of now.entries()) compare(before[index], item, [...path, index], changes);
  } else if (isFields(before) && isFields(now) && haveSameKeys(before, now)) {
    for (const key of Object.keys(now)) compare(before[key], now[key], [...path, key], changes);
  } else {
    changes.push([path, now]);
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

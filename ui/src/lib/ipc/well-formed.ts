/**
 * `value` with half characters replaced: a surrogate without its other half, as left by cutting a text inside an
 * emoji, has no place in UTF-8 and the host would refuse the whole request. What has none is returned as it is, and must
 * not be modified afterwards: it is not looked at again.
 */
export function wellFormed<T>(value: T): T {
  return repair(value) as T;
}

/** Objects without half characters. A draft is sent with every key, and only the objects that changed are new. */
const checked = new WeakSet<object>();

function repair(value: unknown): unknown {
  if (typeof value === "string") return value.isWellFormed() ? value : value.toWellFormed();
  if (typeof value !== "object" || value === null || checked.has(value)) return value;
  const repaired = Array.isArray(value) ? repairItems(value) : repairFields(value as Record<string, unknown>);
  if (repaired === value) checked.add(value);
  return repaired;
}

function repairItems(items: unknown[]): unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const repaired = repair(item);
    if (repaired === item) continue;
    copy ??= [...items];
    copy[index] = repaired;
  }
  return copy ?? items;
}

function repairFields(fields: Record<string, unknown>): Record<string, unknown> {
  let changed = false;
  const entries = Object.entries(fields).map(([key, item]): [string, unknown] => {
    const entry: [string, unknown] = [key.toWellFormed(), repair(item)];
    changed ||= entry[0] !== key || entry[1] !== item;
    return entry;
  });
  // `fromEntries` defines its keys: one named `__proto__` stays a key.
  return changed ? Object.fromEntries(entries) : fields;
}

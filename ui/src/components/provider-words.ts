/**
 * What an error object says in the provider's own words, each sentence once: the contract's (§7) and the channel's
 * (upstream §7) are read alike. Text that is no object says itself.
 */
export function providerWords(error: string): string[] {
  let read: unknown;
  try {
    read = JSON.parse(error);
  } catch {
    return [error];
  }
  if (!isObject(read)) return typeof read === "string" ? [read] : [];
  const data = isObject(read.error_data) ? read.error_data : {};
  const details = isObject(read.details) ? read.details.reason : read.details;
  const words = [read.title, read.message, details, data.details];
  return [...new Set(words.filter((word): word is string => typeof word === "string" && word !== ""))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

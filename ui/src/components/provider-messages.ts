/**
 * The distinct messages of an error object of the provider, in the form of the contract (§7) or of the channel (upstream
 * §7). Text that is not JSON is returned as it is.
 */
export function providerMessages(error: string): string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(error);
  } catch {
    return [error];
  }
  if (!isObject(parsed)) return typeof parsed === "string" ? [parsed] : [];
  const data = isObject(parsed.error_data) ? parsed.error_data : {};
  const details = isObject(parsed.details) ? parsed.details.reason : parsed.details;
  const messages = [parsed.title, parsed.message, details, data.details];
  return [...new Set(messages.filter((message): message is string => typeof message === "string" && message !== ""))];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

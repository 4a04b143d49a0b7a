/**
 * The callback data of a payload as it was sent: `biz_opaque_callback_data`, a string the provider echoes unchanged
 * in every status. `undefined` where the payload carries none or cannot be read.
 */
export function callbackData(payload: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (typeof body !== "object" || body === null || !("biz_opaque_callback_data" in body)) return undefined;
  const data = body.biz_opaque_callback_data;
  return typeof data === "string" && data !== "" ? data : undefined;
}

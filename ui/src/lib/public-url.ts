/** The address to enter at the provider; absent while the public one is no address. */
export function publicUrl(address: string, path: string): string | undefined {
  const text = address.trim();
  const whole = text === "" || text.includes("://") ? text : `https://${text}`;
  if (!URL.canParse(whole)) return undefined;
  return `${whole.replace(/\/+$/, "")}${path}`;
}

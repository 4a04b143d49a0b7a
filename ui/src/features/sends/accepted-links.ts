import type { MediaCheck } from "@/bindings/app";

/**
 * Whether the picture at a link may be fetched: a typed link only once it was checked and the channel accepts it, one of
 * the template's own always.
 */
export function acceptedLinks(
  typed: readonly string[],
  checks: readonly MediaCheck[] = [],
  own: readonly string[] = [],
): (link: string) => boolean {
  const accepted = new Set([...checks.filter(({ state }) => state === "ok").map(({ url }) => url), ...own]);
  const unchecked = new Set(typed.map((value) => value.trim()).filter((link) => !accepted.has(link)));
  return (link) => !unchecked.has(link);
}

import type { Series } from "./plot";

const COLORS: Record<string, string> = {
  sent: "blue.5",
  delivered: "cyan.6",
  read: "teal.6",
  replied: "grape.5",
  failed: "red.6",
  billable: "blue.5",
  free: "teal.6",
  unknown: "gray.5",
  MARKETING: "grape.5",
  UTILITY: "blue.5",
  AUTHENTICATION: "orange.5",
  SERVICE: "teal.6",
};
const OTHERS = ["indigo.5", "lime.6", "pink.5", "gray.5"];

/** A bar for each word: those known in colours of their own, the rest in others, in turn. */
export function seriesOf(words: readonly string[], label: (word: string) => string): Series[] {
  let other = 0;
  return words.map((name) => ({
    name,
    label: label(name),
    color: COLORS[name] ?? COLORS[name.toUpperCase()] ?? OTHERS[other++ % OTHERS.length] ?? "gray.5",
  }));
}

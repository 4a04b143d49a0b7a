// Emoji with their names, in the language of the window, found in every language of the app; fetched when the picker is
// first opened.

import { LANGUAGES, type Language } from "@/lib/i18n/languages";

export interface Emoji {
  unicode: string;
  label: string;
  tags?: string[];
  /** Which of `GROUPS`; absent for parts of flags. */
  group?: number;
  order?: number;
}

/** Groups as the data numbers them, each with one of its own for a sign; skin tones and hair are no group to choose from. */
export const GROUPS = [
  { group: 0, sign: "😀", name: "smileys" },
  { group: 1, sign: "👋", name: "people" },
  { group: 3, sign: "🐶", name: "nature" },
  { group: 4, sign: "🍎", name: "food" },
  { group: 5, sign: "🚗", name: "travel" },
  { group: 6, sign: "🎉", name: "activities" },
  { group: 7, sign: "💡", name: "objects" },
  { group: 8, sign: "❤️", name: "symbols" },
  { group: 9, sign: "🏁", name: "flags" },
] as const;

const LOADERS: Record<Language, () => Promise<{ default: unknown }>> = {
  en: () => import("emojibase-data/en/compact.json"),
  "pt-BR": () => import("emojibase-data/pt/compact.json"),
  es: () => import("emojibase-data/es/compact.json"),
};

/**
 * Every emoji that can be chosen, in the usual order. Its tags have its names in the other languages too: templates are
 * often written in another language than the window's.
 */
export async function loadEmoji(language: Language): Promise<Emoji[]> {
  const load = async (code: Language) => (await LOADERS[code]()).default as Emoji[];
  const [data, ...others] = await Promise.all([language, ...LANGUAGES.filter((code) => code !== language)].map(load));
  const words = new Map<string, string[]>();
  for (const { unicode, label, tags = [] } of others.flat()) {
    words.set(unicode, [...(words.get(unicode) ?? []), label, ...tags]);
  }
  const shown = new Set<number | undefined>(GROUPS.map(({ group }) => group));
  return (data ?? [])
    .filter(({ group }) => shown.has(group))
    .map((emoji) => ({ ...emoji, tags: [...(emoji.tags ?? []), ...(words.get(emoji.unicode) ?? [])] }))
    .sort((a, b) => (a.order ?? Number.POSITIVE_INFINITY) - (b.order ?? Number.POSITIVE_INFINITY));
}

const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Those whose name or tags have every word of `query` in them, whatever the accents; names that begin with it first. */
export function searchEmoji(emoji: Emoji[], query: string, most: number): Emoji[] {
  const words = plain(query)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return [];
  const found = emoji.filter(({ label, tags = [], unicode }) => {
    const all = plain([label, ...tags, unicode].join(" "));
    return words.every((word) => all.includes(word));
  });
  const rank = ({ label }: Emoji) => (plain(label).startsWith(words[0] ?? "") ? 0 : 1);
  return found.sort((a, b) => rank(a) - rank(b)).slice(0, most);
}

const RECENT = "composer.recentEmoji";
const MAX_RECENT = 16;

export function recentEmoji(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(RECENT) ?? "[]");
    return Array.isArray(list) ? list.filter((it): it is string => typeof it === "string").slice(0, MAX_RECENT) : [];
  } catch {
    // What is stored there may be anything, and storage may be off.
    return [];
  }
}

export function rememberEmoji(unicode: string): void {
  try {
    const list = [unicode, ...recentEmoji().filter((it) => it !== unicode)].slice(0, MAX_RECENT);
    localStorage.setItem(RECENT, JSON.stringify(list));
  } catch {
    // Without storage there are no recent ones.
  }
}

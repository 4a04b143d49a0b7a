const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether a text has all words of a query or their beginnings, in any order, with or without accents. */
export function hasWords(text: string, query: string): boolean {
  const words = plain(text);
  return plain(query)
    .split(/\s+/)
    .every((word) => words.includes(word));
}

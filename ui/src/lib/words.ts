/** A text in lower case and without accents. */
export const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether a text has all words of a query or their beginnings, in any order, with or without accents. */
export function hasWords(text: string, query: string): boolean {
  const words = plain(text);
  return plain(query)
    .split(/\s+/)
    .every((word) => words.includes(word));
}

/** Whether a query has words with punctuation, such as `<b>` or `20%`. The index of the host leaves punctuation out. */
export function isPunctuated(query: string): boolean {
  return plain(query).split(/\s+/).some(hasPunctuation);
}

/** Whether a text has the words of a query that have punctuation, as they were typed. */
export function hasPunctuated(text: string, query: string): boolean {
  const words = plain(text);
  return plain(query)
    .split(/\s+/)
    .filter(hasPunctuation)
    .every((word) => words.includes(word));
}

const hasPunctuation = (word: string) => /[^\p{L}\p{N}_]/u.test(word);

/** A constant of the provider that has no translation as words: `LIMITED_BY_X` becomes "Limited by x". */
export function readableWord(word: string): string {
  if (!/^[A-Z][A-Z0-9]*([_-][A-Z0-9]+)*$/.test(word)) return word;
  const words = word.replaceAll(/[_-]/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Shorter names can be words of a text. */
const MIN_LENGTH = 4;
const WORD = /[\p{L}\p{N}]/u;

/** The name in a text that is among `names` and not `own`, of names that contain each other the longest. */
export function otherNameIn(text: string, own: string, names: readonly string[]): string | undefined {
  const longestFirst = names.filter((name) => name.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
  let rest = text;
  for (const name of longestFirst) {
    const parts = rest.split(name);
    // A part of a longer word is no name.
    const isWhole = parts.some((before, at) => {
      const after = parts[at + 1];
      return after !== undefined && !WORD.test(before.slice(-1)) && !WORD.test(after.slice(0, 1));
    });
    if (isWhole && name !== own) return name;
    rest = parts.join(" ");
  }
  return undefined;
}

/** Shorter names can be words of a text. */
const MIN_LENGTH = 4;

/** The name in a text that is among `names` and not `own`, of names that contain each other the longest. */
export function otherNameIn(text: string, own: string, names: readonly string[]): string | undefined {
  const longestFirst = names.filter((name) => name.length >= MIN_LENGTH).sort((a, b) => b.length - a.length);
  let rest = text;
  for (const name of longestFirst) {
    if (!rest.includes(name)) continue;
    if (name !== own) return name;
    rest = rest.replaceAll(name, "");
  }
  return undefined;
}

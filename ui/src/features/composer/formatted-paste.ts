// Text that was copied with formatting, from Word or a mail for instance: what is bold there gets the channel's signs.

/** The signs of each style, the outer ones first. */
const SIGNS = { bold: "*", italic: "_", strike: "~", mono: "```" } as const;
type Style = keyof typeof SIGNS;
const STYLES = Object.keys(SIGNS) as Style[];

const TAGS: Record<string, Style> = {
  B: "bold",
  STRONG: "bold",
  I: "italic",
  EM: "italic",
  S: "strike",
  DEL: "strike",
  STRIKE: "strike",
  CODE: "mono",
  PRE: "mono",
  TT: "mono",
};

/** A longer text is a document or a sheet; its formatting is not looked for. */
const MAX_HTML = 200_000;

/**
 * `plain` with the signs of what `html`, the same text, shows in bold, italic, struck through or as code. `undefined` if
 * nothing is, or if the two are not the same text.
 */
export function formattedText(plain: string, html: string): string | undefined {
  if (html === "" || html.length > MAX_HTML) return undefined;
  const text = plain.replaceAll("\r\n", "\n");
  const styles = stylesIn(text, new DOMParser().parseFromString(html, "text/html").body);
  if (styles === undefined) return undefined;
  const signed = withSigns(text, styles);
  return signed === text ? undefined : signed;
}

/** The styles of each character of the text, as words: `bold italic`. Signs of lists may be in the text alone. */
function stylesIn(text: string, body: HTMLElement): string[] | undefined {
  const styles = new Array<string>(text.length).fill("");
  let at = 0;
  for (const { character, style } of charactersOf(body, new Set())) {
    at = text.indexOf(character, at);
    if (at < 0) return undefined;
    styles.fill(style, at, at + character.length);
    at += character.length;
  }
  return styles;
}

/** The visible characters below a node, without spaces: those differ between the two forms of a text. */
function* charactersOf(node: Node, outer: ReadonlySet<Style>): Generator<{ character: string; style: string }> {
  for (const child of node.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) {
      const style = STYLES.filter((one) => outer.has(one)).join(" ");
      for (const character of (child.textContent ?? "").replace(/\s+/gu, "")) yield { character, style };
    } else if (child instanceof HTMLElement && !["STYLE", "SCRIPT", "TITLE"].includes(child.tagName)) {
      yield* charactersOf(child, stylesOf(child, outer));
    }
  }
}

function stylesOf(element: HTMLElement, outer: ReadonlySet<Style>): ReadonlySet<Style> {
  const inner = new Set(outer);
  const tag = TAGS[element.tagName];
  if (tag) inner.add(tag);
  // As written: the policy of the page may keep styles from being applied.
  const written = element.getAttribute("style") ?? "";
  const value = (property: string) =>
    new RegExp(`(?:^|;)\\s*${property}\\s*:\\s*([^;]+)`, "iu").exec(written)?.[1]?.trim();
  const set = (style: Style, words: string | undefined, isSet: RegExp) => {
    if (words === undefined || words === "inherit") return;
    if (isSet.test(words)) inner.add(style);
    else inner.delete(style);
  };
  // What Google's documents copy is in one <b> that is not bold.
  set("bold", value("font-weight"), /bold|[6-9]00/iu);
  set("italic", value("font-style"), /italic|oblique/iu);
  if (/line-through/iu.test(value("text-decoration(?:-line)?") ?? "")) inner.add("strike");
  return inner;
}

function withSigns(text: string, styles: readonly string[]): string {
  let signed = "";
  let at = 0;
  while (at < text.length) {
    const style = styles[at] ?? "";
    const end = style === "" ? at + 1 : endOf(text, styles, at);
    const part = text.slice(at, end);
    signed += isFormatted(text, at, end) ? surrounded(part, style) : part;
    at = end;
  }
  return signed;
}

/** Where the characters of one style and one line end: spaces between them belong to them. */
function endOf(text: string, styles: readonly string[], start: number): number {
  let end = start + 1;
  for (let at = end; at < text.length && text[at] !== "\n"; at += 1) {
    if (styles[at] === styles[start]) end = at + 1;
    else if (!/\s/u.test(text[at] ?? "")) break;
  }
  return end;
}

const LETTER = /[\p{L}\p{N}]/u;

/** WhatsApp formats whole words only. A sign within a variable would be part of its name. */
function isFormatted(text: string, start: number, end: number): boolean {
  const isCut = [...text.matchAll(/\{\{[^{}]*\}\}/gu)].some(({ index, 0: { length } }) =>
    [start, end].some((at) => at > index && at < index + length),
  );
  return (
    !isCut &&
    !LETTER.test(text[start - 1] ?? "") &&
    !LETTER.test(text[end] ?? "") &&
    LETTER.test(text.slice(start, end))
  );
}

function surrounded(part: string, style: string): string {
  const signs = style === "" ? [] : style.split(" ").map((one) => SIGNS[one as Style]);
  // A part that was copied with its signs has them already.
  return signs.reduceRight(
    (text, sign) => (text.startsWith(sign) && text.endsWith(sign) ? text : sign + text + sign),
    part,
  );
}

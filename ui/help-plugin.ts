// Makes `virtual:help/LANGUAGE` of the user guide: its sections as pages of a typed tree, so that nothing is parsed and no
// HTML is inserted at run time.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { marked, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";
import type { HelpBlock, HelpInline, HelpPage } from "./src/lib/help/tree.ts";

const PREFIX = "virtual:help/";

/** The user guide in a language of the window; `root` is the folder `ui`. */
export const guideFile = (root: string, language: string) =>
  join(root, "..", "docs", language === "en" ? "" : language, "user-guide.md");

export function helpPages(): Plugin {
  let root = "";
  return {
    name: "help-pages",
    configResolved: (config) => {
      root = config.root;
    },
    resolveId: (id) => (id.startsWith(PREFIX) ? `\0${id}` : undefined),
    async load(id) {
      if (!id.startsWith(`\0${PREFIX}`)) return undefined;
      const file = guideFile(root, id.slice(PREFIX.length + 1));
      this.addWatchFile(file);
      return `export default ${JSON.stringify(parseGuide(await readFile(file, "utf8")))};`;
    },
  };
}

/**
 * The pages of a guide: its beginning, and every section of the third level. A section is known by the anchor above its
 * heading, `<a id="…"></a>`, else by its heading as GitHub writes it.
 */
export function parseGuide(markdown: string): HelpPage[] {
  const pages: HelpPage[] = [];
  let group = "";
  let anchor: string | undefined;
  for (const token of marked.lexer(markdown)) {
    const named = /^<a id="([a-z0-9-]+)"><\/a>\s*$/.exec(token.raw)?.[1];
    if (named !== undefined) {
      anchor = named;
    } else if (token.type === "heading") {
      const heading = token as Tokens.Heading;
      const title = heading.text;
      if (heading.depth === 2) group = title;
      else
        pages.push({ id: heading.depth === 1 ? "start" : (anchor ?? slug(title)), title, group, blocks: [], text: "" });
      anchor = undefined;
    } else {
      const page = pages.at(-1);
      if (page) page.blocks.push(...block(token));
    }
  }
  const ids = new Set(pages.map(({ id }) => id));
  if (ids.size !== pages.length) throw new Error("Two sections of the guide have one anchor.");
  for (const page of pages) {
    page.text = wordsOf(page.blocks);
    for (const to of linksOf(page.blocks)) {
      if (!ids.has(to)) throw new Error(`The section "${page.title}" links to "#${to}", which is no section.`);
    }
  }
  return pages;
}

const slug = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");

function block(token: Token): HelpBlock[] {
  switch (token.type) {
    case "space":
      return [];
    case "paragraph":
    case "text": {
      const { tokens = [], text } = token as Tokens.Paragraph;
      return [{ type: "paragraph", children: tokens.length > 0 ? tokens.flatMap(inline) : [{ type: "text", text }] }];
    }
    case "list": {
      const { ordered, items } = token as Tokens.List;
      return [{ type: "list", ordered, items: items.map(({ tokens }) => tokens.flatMap(block)) }];
    }
    case "table": {
      const { header, rows } = token as Tokens.Table;
      const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => tokens.flatMap(inline));
      return [{ type: "table", header: cells(header), rows: rows.map(cells) }];
    }
    case "code":
      return [{ type: "code", text: (token as Tokens.Code).text }];
    default:
      throw new Error(`The guide has a part that Help can't show: ${token.type}: ${token.raw.slice(0, 60)}`);
  }
}

function inline(token: Token): HelpInline[] {
  switch (token.type) {
    case "text":
    case "escape":
      return [{ type: "text", text: decode((token as Tokens.Text).text).replaceAll("\n", " ") }];
    case "codespan":
      return [{ type: "code", text: decode((token as Tokens.Codespan).text) }];
    case "strong":
    case "em": {
      const { type, tokens = [] } = token as Tokens.Strong | Tokens.Em;
      return [{ type, children: tokens.flatMap(inline) }];
    }
    case "link": {
      const { href, tokens } = token as Tokens.Link;
      const children = tokens.flatMap(inline);
      if (href.startsWith("#")) return [{ type: "link", page: href.slice(1), children }];
      // The other documents are not shipped: their name says where to look.
      return [...children, { type: "text", text: ` (docs/${href.replace(/^(\.\.\/)+/, "").replace(/#.*/, "")})` }];
    }
    case "image":
      return [];
    default:
      throw new Error(`The guide has a text that Help can't show: ${token.type}: ${token.raw}`);
  }
}

/** The lexer leaves texts as they would be in HTML. */
const decode = (text: string) =>
  text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");

const partsOf = (blocks: HelpBlock[]): HelpInline[] =>
  blocks.flatMap((part) => {
    if (part.type === "paragraph") return part.children;
    if (part.type === "list") return part.items.flatMap(partsOf);
    if (part.type === "table") return [...part.header, ...part.rows.flat()].flat();
    return [{ type: "code" as const, text: part.text }];
  });

const flat = (parts: HelpInline[]): HelpInline[] =>
  parts.flatMap((part) => ("children" in part ? [part, ...flat(part.children)] : [part]));

const wordsOf = (blocks: HelpBlock[]): string =>
  flat(partsOf(blocks))
    .flatMap((part) => ("text" in part ? [part.text] : []))
    .join(" ");

const linksOf = (blocks: HelpBlock[]): string[] =>
  flat(partsOf(blocks)).flatMap((part) => (part.type === "link" ? [part.page] : []));

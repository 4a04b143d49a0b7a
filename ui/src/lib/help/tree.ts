// A page of the user guide, as `help-plugin.ts` makes it when the window is built.

export type HelpInline =
  | { type: "text" | "code"; text: string }
  | { type: "strong" | "em"; children: HelpInline[] }
  /** `page` is the `id` of the page it leads to. */
  | { type: "link"; page: string; children: HelpInline[] };

export type HelpBlock =
  | { type: "paragraph"; children: HelpInline[] }
  | { type: "list"; ordered: boolean; items: HelpBlock[][] }
  | { type: "table"; header: HelpInline[][]; rows: HelpInline[][][] }
  | { type: "code"; text: string };

export interface HelpPage {
  /** The same in every language. */
  id: string;
  title: string;
  /** Heading above the section; empty for the first page. */
  group: string;
  blocks: HelpBlock[];
  /** All words of the page, to search in. */
  text: string;
}

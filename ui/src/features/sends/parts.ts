import type { Bubble, SendPart } from "@/bindings/model";

/** Parts of one section of the form; each card has sections of its own. */
export interface PartGroup {
  key: string;
  section: string;
  /** Card it belongs to, from 0. */
  card: number | undefined;
  parts: SendPart[];
}

/** Sections in the order in which a message is read. One that is not known comes after them. */
const SECTIONS = ["header", "body", "footer", "offer", "button"];

/** Groups in the order of the message: its own sections, then those of each card. */
export function groupParts(parts: readonly SendPart[]): PartGroup[] {
  const groups = new Map<string, PartGroup>();
  for (const part of parts) {
    const card = part.card ?? undefined;
    const key = `${card ?? ""}/${part.section}`;
    const group = groups.get(key);
    if (group) group.parts.push(part);
    else groups.set(key, { key, section: part.section, card, parts: [part] });
  }
  const place = ({ card, section }: PartGroup) => {
    const known = SECTIONS.indexOf(section);
    return ((card ?? -1) + 1) * 100 + (known === -1 ? SECTIONS.length : known);
  };
  return [...groups.values()].sort((a, b) => place(a) - place(b));
}

/** The groups of the message itself, and those of each card. */
export function cardsApart(groups: readonly PartGroup[]): { own: PartGroup[]; cards: [card: number, PartGroup[]][] } {
  const own = groups.filter(({ card }) => card === undefined);
  const cards = new Map<number, PartGroup[]>();
  for (const group of groups) {
    if (group.card !== undefined) cards.set(group.card, [...(cards.get(group.card) ?? []), group]);
  }
  return { own, cards: [...cards] };
}

/** Whether few sends need it: left empty, the template's footer and the text of the button go. */
export const isSeldomUsed = ({ section, kind }: SendPart) => section === "footer" || kind === "payload";

/** The template's own media by part, where they have an address: a send shows them unless other ones are chosen. */
export function ownMedia(parts: readonly SendPart[]): Record<string, string> {
  const own = parts.filter(({ kind, sample }) => kind === "link" && sample !== "");
  return Object.fromEntries(own.map(({ id, sample }) => [id, sample]));
}

/** What is typed, with the sample in every place that is still empty; with the first name of a person where one belongs. */
export function withSamples(
  parts: readonly SendPart[],
  values: Readonly<Record<string, string>>,
  firstName = "",
): Record<string, string> {
  const filled = { ...values };
  for (const part of parts) {
    const sample = (part.person && firstName) || part.sample;
    if (!filled[part.id] && sample !== "" && !isSeldomUsed(part)) filled[part.id] = sample;
  }
  return filled;
}

/** Whether it is a code that proves who a person is, and not the code of a coupon. */
const isOneTimeCode = ({ kind, section }: SendPart) => kind === "code" && section !== "button";

/** The values that may outlive a form. */
export function withoutCodes(
  parts: readonly SendPart[],
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const codes = new Set(parts.filter(isOneTimeCode).map(({ id }) => id));
  return Object.fromEntries(Object.entries(values).filter(([id]) => !codes.has(id)));
}

/** What is typed, with the value of an earlier send in every place that is still empty. */
export function withEarlier(
  parts: readonly SendPart[],
  values: Readonly<Record<string, string>>,
  earlier: Readonly<Record<string, string>>,
  firstName = "",
): Record<string, string> {
  const filled = { ...values };
  for (const part of parts) {
    const value = (part.person && firstName) || earlier[part.id];
    if (!filled[part.id] && value) filled[part.id] = value;
  }
  return filled;
}

/** The first of `fields` that the form has. */
export function firstAsked(fields: readonly string[], parts: readonly SendPart[]): string | undefined {
  const inForm = groupParts(parts).flatMap((group) => group.parts.map(({ id }) => id));
  const order = ["to", "number", ...inForm, "text", "callbackData"];
  return order.find((field) => fields.includes(field)) ?? fields[0];
}

const BUTTON = /^(?:card\.(\d+)\.)?button\.(\d+)\./;

/** The whole address that the button of `part` opens, as the phone has it. */
export function addressIn(bubble: Bubble, { id }: SendPart): string | undefined {
  const [, card, button] = BUTTON.exec(id) ?? [];
  if (button === undefined) return undefined;
  const of = card === undefined ? bubble : bubble.cards[Number(card)];
  return of?.buttons[Number(button)]?.target ?? undefined;
}

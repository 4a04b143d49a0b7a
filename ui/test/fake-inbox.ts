// The fake host's inbox: contacts, a conversation with every kind of message, and files.

import type {
  ContactRow,
  ConversationMessage,
  ConversationPage,
  ListedPeople,
  MarketingStop,
  MediaFile,
  SavedReply,
} from "@/bindings/app";
import { THUMBNAIL } from "./fake-answers";
import type { Handlers } from "./fake-host";
import { formatted, NOW } from "./fixtures";

type Commands =
  | "list_contacts"
  | "count_unread"
  | "list_conversation"
  | "mark_read"
  | "mark_unread"
  | "set_no_answer_until"
  | "find_sent_messages"
  | "list_saved_replies"
  | "save_saved_reply"
  | "delete_saved_reply"
  | "fill_saved_reply"
  | "get_media"
  | "save_media";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
export const NUMBERS = [
  { id: "108001", name: "Main number" },
  { id: "108002", name: "Support" },
];

/** A person who only received a message. */
export const NEVER_WROTE: ContactRow = {
  contact: "5521990007777",
  formatted: formatted("5521990007777"),
  name: "Dora Prado",
  excerpt: "Our sale is on",
  lastKind: "template",
  outgoing: true,
  state: "delivered",
  lastAt: NOW - 2 * MINUTE,
  unread: 0,
  number: "Main number",
};

const NAMES = ["Jonas Weber", "Ana Lima", "ليلى حسن", "Chidi Okafor", "Noa Levi", "Sofía Ruiz"];

export const CONTACTS: ContactRow[] = [
  {
    contact: "5511990001111",
    formatted: formatted("5511990001111"),
    name: "Maria Souza",
    excerpt: "Is it also available in blue? 💙",
    lastKind: "text",
    outgoing: false,
    lastAt: NOW - 4 * MINUTE,
    unread: 2,
    number: "Main number",
  },
  {
    contact: "447700900123",
    formatted: formatted("447700900123"),
    name: "",
    excerpt: "",
    lastKind: "image",
    outgoing: false,
    lastAt: NOW - DAY,
    unread: 0,
    number: "Support",
  },
  ...Array.from({ length: 60 }, (_, place) => ({
    contact: String(4_915_200_000_000 + place),
    formatted: formatted(String(4_915_200_000_000 + place)),
    name: NAMES[place % NAMES.length] ?? "",
    excerpt: place % 4 === 0 ? "Yes, please" : "Thank you!",
    lastKind: place % 4 === 0 ? "button" : "text",
    outgoing: place % 3 === 1,
    state: place % 3 === 1 ? ("read" as const) : null,
    lastAt: NOW - (place + 2) * DAY,
    unread: place % 9 === 0 ? 1 : 0,
    number: NUMBERS[place % 2]?.name ?? null,
  })),
];

export const SAVED_REPLIES: SavedReply[] = [
  { id: "reply-1", workspace: "sandbox", name: "Opening hours", text: "We open at 9 ⏰\n\n- Mon\n- Tue" },
  { id: "reply-2", workspace: "sandbox", name: "Order", text: "Hi {{firstName}}, {{order}} is on its way." },
];

/** A conversation with Maria, unless `parts` say otherwise. */
export function conversationPage(parts: Partial<ConversationPage>): ConversationPage {
  const contact = parts.contact ?? "5511990001111";
  return {
    messages: [],
    window: { clockOffset: 0 },
    contact,
    canReply: true,
    otherStops: [],
    formatted: formatted(contact),
    name: "",
    unanswered: [],
    marketingNumber: parts.number ?? null,
    ...parts,
  };
}

const isUnanswered = (people: ListedPeople) => people === "unanswered" || people === "ending";

export function inboxHandlers(stopOf: (contact: string) => MarketingStop | null): Pick<Handlers, Commands> {
  const unreadOf = new Map(CONTACTS.map(({ contact, unread }) => [contact, unread]));
  const noAnswerUntil = new Map<string, number>();
  let replies = [...SAVED_REPLIES];
  return {
    list_contacts: ({ search, number, unread, people, after, limit }) => {
      const words = (search ?? "").toLowerCase();
      const name = NUMBERS.find(({ id }) => id === number)?.name;
      const rows = [NEVER_WROTE, ...CONTACTS]
        .map((row) => ({ ...row, unread: unreadOf.get(row.contact) ?? 0 }))
        .filter(
          (row) =>
            `${row.name} ${row.contact}`.toLowerCase().includes(words) &&
            (number == null || row.number === name) &&
            (unread !== true || row.unread > 0) &&
            (!isUnanswered(people) ||
              (!row.outgoing && row.lastAt > (noAnswerUntil.get(row.contact) ?? Number.NEGATIVE_INFINITY))) &&
            (people === "everyone" || words !== "" || row.contact !== NEVER_WROTE.contact),
        );
      if (people === "ending") rows.sort((a, b) => a.lastAt - b.lastAt);
      const from = Number(after ?? 0);
      const to = from + limit;
      const listed = rows.slice(from, to);
      const windowOf = ({ lastAt }: ContactRow) => ({ lastInboundAt: lastAt, openUntil: lastAt + DAY, clockOffset: 0 });
      return {
        rows: isUnanswered(people) ? listed.map((row) => ({ ...row, window: windowOf(row) })) : listed,
        next: to < rows.length ? String(to) : null,
        numbers: NUMBERS,
      };
    },
    count_unread: () => ({
      contacts: [...unreadOf.values()].filter((unread) => unread > 0).length,
    }),
    list_conversation: ({ contact, number }) =>
      conversationPage({
        messages: structuredClone(MESSAGES),
        readUntil: unreadOf.get(contact) === 0 ? null : NOW - 4 * MINUTE,
        window: { lastInboundAt: NOW - 4 * MINUTE, openUntil: Date.now() + 5 * 60 * MINUTE, clockOffset: 0 },
        contact,
        canReply: /^\d+$/.test(contact),
        name: CONTACTS.find((row) => row.contact === contact)?.name ?? "",
        number: "108001",
        marketingNumber: number ?? "108001",
        marketingStop: stopOf(contact),
        unanswered: CONTACTS.filter(
          (row) => row.contact === contact && !row.outgoing && row.lastAt > (noAnswerUntil.get(contact) ?? 0),
        ).map(({ lastAt: at, number }) => ({ number: NUMBERS.find(({ name }) => name === number)?.id ?? null, at })),
        noAnswerUntil: noAnswerUntil.get(contact) || null,
      }),
    mark_read: ({ contact }) => {
      unreadOf.set(contact, 0);
      return {};
    },
    mark_unread: ({ contact }) => {
      unreadOf.set(contact, Math.max(1, unreadOf.get(contact) ?? 0));
      return {};
    },
    set_no_answer_until: ({ contact, until }) => {
      noAnswerUntil.set(contact, until ?? 0);
      return {};
    },
    find_sent_messages: () => ({ rows: [] }),
    list_saved_replies: ({ workspace }) => ({
      rows: replies.filter((reply) => reply.workspace === workspace).sort((a, b) => a.name.localeCompare(b.name)),
      fields: ["name", "firstName", "number", "sender"],
      limit: 200,
      nameLimit: 60,
      textLimit: 4096,
    }),
    save_saved_reply: ({ id, ...typed }) => {
      const saved = { ...typed, id: id ?? `reply-${replies.length + 1}` };
      replies = [...replies.filter((reply) => reply.id !== saved.id), saved];
      return saved;
    },
    delete_saved_reply: ({ id }) => {
      replies = replies.filter((reply) => reply.id !== id);
      return {};
    },
    fill_saved_reply: ({ id }) => {
      const text = replies.find((reply) => reply.id === id)?.text.replaceAll("{{firstName}}", "Maria") ?? "";
      return { text, missing: text.match(/{{[^}]*}}/g) ?? [] };
    },
    get_media: ({ event }) => MEDIA[event] ?? file({}),
    save_media: () => ({ path: "/home/ana/Downloads/invoice-10482.pdf", sha256: "9f2c".repeat(16) }),
  };
}

function file(parts: Partial<MediaFile>): MediaFile {
  return {
    mime: "application/pdf",
    bytes: 48_120,
    fileName: "invoice-10482.pdf",
    sha256: "matches",
    state: "ok",
    cached: true,
    ...parts,
  };
}

/** Files by event. */
const MEDIA: Record<string, MediaFile> = {
  "event-8": file({ mime: "image/svg+xml", fileName: "m-image.svg", dataUrl: THUMBNAIL, bytes: 642 }),
  "event-23": file({
    state: "expired",
    bytes: 0,
    sha256: "absent",
    fileName: "film.mp4",
    detail: "The address answered 404.",
  }),
  "event-28": file({ mime: "audio/ogg", fileName: "voice.ogg", dataUrl: "data:audio/ogg;base64,T2dnUw==", bytes: 4 }),
  "event-33": file({ mime: "image/svg+xml", fileName: "sticker.svg", dataUrl: THUMBNAIL, sha256: "differs" }),
};

function received(
  id: string,
  minutes: number,
  event: string,
  parts: Partial<ConversationMessage>,
): ConversationMessage {
  return {
    id,
    outgoing: false,
    at: NOW - minutes * MINUTE,
    kind: "text",
    text: "",
    facts: [],
    reactions: [],
    event,
    number: "Main number",
    ...parts,
  };
}

const media = (kind: string, mime: string, parts: Partial<NonNullable<ConversationMessage["media"]>> = {}) => ({
  kind,
  media: { kind, mime, canRun: false, source: "permanent" as const, ...parts },
});

const SALE = "Hello Maria! Our summer sale is on";

/** The conversation, newest message first. */
export const MESSAGES: ConversationMessage[] = [
  received("m-text", 4, "event-3", {
    text: "Is it also available in blue? 💙",
    reactions: [{ emoji: "👍", at: NOW - MINUTE }],
  }),
  received("m-image", 6, "event-8", { ...media("image", "image/svg+xml"), text: "My order arrived like this" }),
  received("m-button", 9, "event-13", {
    kind: "button",
    text: "Remind me later",
    facts: [{ label: "payload", value: "remind" }],
    replyTo: { message: "wamid.out", send: "send-1", excerpt: SALE, kind: "template", outgoing: true },
  }),
  {
    ...received("wamid.out", 60, "", { kind: "template", text: SALE }),
    outgoing: true,
    bubble: {
      header: { kind: "text", text: "Summer sale" },
      body: [
        {
          kind: "line",
          runs: [{ text: "Hello " }, { text: "Maria", variable: true }, { text: "! Our summer sale is on" }],
        },
      ],
      buttons: [{ kind: "QUICK_REPLY", label: "Remind me later" }],
      visible_buttons: 1,
      cards: [],
      right_to_left: false,
      unknown: [],
    },
    template: { name: "summer_sale_2026", language: "en_US", reference: "template-3" },
    state: "read",
    stateAt: NOW - 55 * MINUTE,
    send: "send-1",
    event: null,
  },
  received(
    "m-document",
    2 * 24 * 60,
    "event-18",
    media("document", "application/pdf", { fileName: "invoice-10482.pdf" }),
  ),
  received("m-video", 2 * 24 * 60 + 1, "event-23", media("video", "video/mp4", { source: "temporary" })),
  received("m-audio", 2 * 24 * 60 + 2, "event-28", media("audio", "audio/ogg; codecs=opus", { voice: true })),
  received("m-sticker", 2 * 24 * 60 + 3, "event-33", media("sticker", "image/webp")),
  received("m-lost", 2 * 24 * 60 + 4, "event-38", media("image", "image/jpeg", { source: "none" })),
  received("m-location", 3 * 24 * 60, "event-43", {
    kind: "location",
    text: "Praça da Sé",
    facts: [
      { label: "address", value: "Sé, São Paulo" },
      { label: "latitude", value: "-23.5503", link: "https://www.openstreetmap.org/?mlat=-23.5503&mlon=-46.6339" },
      { label: "longitude", value: "-46.6339", link: "https://www.openstreetmap.org/?mlat=-23.5503&mlon=-46.6339" },
    ],
  }),
  received("m-contacts", 3 * 24 * 60 + 1, "event-48", {
    kind: "contacts",
    text: "Ana Lima, Rui Costa",
    facts: [
      { label: "name", value: "Ana Lima" },
      { label: "phone", value: "+55 11 99000-2222" },
      { label: "name", value: "Rui Costa" },
      { label: "email", value: "rui@example.com" },
    ],
  }),
  received("m-order", 3 * 24 * 60 + 2, "event-53", {
    kind: "order",
    text: "Gift-wrapped, please",
    facts: [
      { label: "product", value: "boots-42" },
      { label: "quantity", value: "2" },
      { label: "price", value: "89.9 EUR" },
      { label: "product", value: "socks" },
      { label: "quantity", value: "1" },
      { label: "catalog", value: "4711" },
    ],
  }),
  received("m-form", 3 * 24 * 60 + 3, "event-58", {
    kind: "interactive",
    text: "Sent",
    facts: [
      { label: "form", value: "flow" },
      { label: "shoe_size", value: "42" },
      { label: "expiresAt", value: String(NOW) },
    ],
  }),
  received("m-system", 4 * 24 * 60, "event-63", {
    kind: "system",
    text: "Maria Souza changed from 5511990001111 to 5511990009999",
    facts: [{ label: "newNumber", value: "5511990009999" }],
  }),
  received("m-unsupported", 4 * 24 * 60 + 1, "event-68", {
    kind: "unsupported",
    error: { code: "131051", known: true, retry: "no", message: "The message type is not supported." },
  }),
  received("m-unknown", 4 * 24 * 60 + 2, "event-73", {
    kind: "hologram",
    raw: '{"type":"hologram","hologram":{"depth":3}}',
  }),
  received("m-reaction", 4 * 24 * 60 + 3, "event-78", { kind: "reaction", text: "❤️", number: "Support" }),
];

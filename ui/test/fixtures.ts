// A workspace after some weeks of use: every status, several languages, hostile and long texts.

import type { EventRow, SendRow, TemplateRow } from "@/bindings/app";
import type { Bubble, Component, Template } from "@/bindings/model";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
export const NOW = Date.UTC(2026, 10, 20, 14, 30);

const QUALITIES = ["GREEN", null, "YELLOW", "UNKNOWN", "RED"];

interface Sample {
  name: string;
  language: string;
  category: string;
  status: string;
  archived?: boolean;
  rejected?: string;
  components: unknown[];
}

const SAMPLES: Sample[] = [
  {
    name: "summer_sale_2026",
    language: "en_US",
    category: "MARKETING",
    status: "APPROVED",
    components: [
      { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW1hZ2U"] } },
      {
        type: "BODY",
        text: "Hello {{1}}! Our *summer sale* is on: up to _{{2}} off_ everything you saved.\n\nOnly this week 🌞",
        example: { body_text: [["Maria", "40%"]] },
      },
      { type: "FOOTER", text: "Reply STOP to unsubscribe" },
      {
        type: "BUTTONS",
        buttons: [
          {
            type: "URL",
            text: "Shop the sale",
            url: "https://shop.example/sale/{{1}}",
            example: ["https://shop.example/sale/a1"],
          },
          { type: "QUICK_REPLY", text: "Remind me later" },
          { type: "QUICK_REPLY", text: "Not interested" },
        ],
      },
    ],
  },
  {
    name: "summer_sale_2026",
    language: "pt_BR",
    category: "MARKETING",
    status: "PENDING",
    components: [
      { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW1hZ2U"] } },
      {
        type: "BODY",
        text: "Olá {{1}}! Nossa *promoção de verão* começou: até _{{2}} de desconto_.",
        example: { body_text: [["Maria", "40%"]] },
      },
      { type: "FOOTER", text: "Responda SAIR para não receber mais" },
    ],
  },
  {
    name: "order_shipped",
    language: "en_US",
    category: "UTILITY",
    status: "APPROVED",
    components: [
      { type: "HEADER", format: "DOCUMENT", example: { header_handle: ["4::cGRm"] } },
      {
        type: "BODY",
        text: "Your order {{1}} is on its way and arrives by {{2}}. The invoice is attached.",
        example: { body_text: [["#10482", "Friday"]] },
      },
      {
        type: "BUTTONS",
        buttons: [
          {
            type: "URL",
            text: "Track the parcel",
            url: "https://track.example/{{1}}",
            example: ["https://track.example/x"],
          },
          { type: "PHONE_NUMBER", text: "Call the carrier", phone_number: "+15550100" },
          { type: "QUICK_REPLY", text: "Change the address" },
          { type: "QUICK_REPLY", text: "Talk to a person" },
        ],
      },
    ],
  },
  {
    name: "loyalty_points_expiring_reminder_for_members_of_the_gold_tier",
    language: "en_GB",
    category: "MARKETING",
    status: "REJECTED",
    rejected: "INVALID_FORMAT",
    components: [
      // Starts with a variable, and has a tab, which the fix of `body.tab` replaces.
      { type: "BODY", text: "{{1}} points expire soon\t{{2}}", example: { body_text: [["1,200", "on 30 June"]] } },
    ],
  },
  {
    name: "new_arrivals",
    language: "es_MX",
    category: "MARKETING",
    status: "PAUSED",
    components: [
      { type: "BODY", text: "Lo nuevo de esta semana, elegido para ti:" },
      {
        type: "CAROUSEL",
        cards: ["Botas de montaña", "Chaqueta ligera", "Mochila 24 L"].map((text) => ({
          components: [
            { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW1n"] } },
            { type: "BODY", text: `${text} — *envío gratis*` },
            {
              type: "BUTTONS",
              buttons: [
                { type: "URL", text: "Ver", url: "https://tienda.example/{{1}}" },
                { type: "QUICK_REPLY", text: "Guardar" },
              ],
            },
          ],
        })),
      },
    ],
  },
  {
    name: "delivery_update_ar",
    language: "ar",
    category: "UTILITY",
    status: "APPROVED",
    components: [
      { type: "HEADER", format: "TEXT", text: "تحديث التوصيل" },
      {
        type: "BODY",
        text: "مرحبًا {{1}}، سيصل طلبك *اليوم* بين {{2}} مساءً.",
        example: { body_text: [["ليلى", "5 و 7"]] },
      },
      { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "تأكيد" }] },
    ],
  },
  {
    name: "one_time_code",
    language: "en_US",
    category: "AUTHENTICATION",
    status: "APPROVED",
    components: [
      {
        type: "BODY",
        text: "*{{1}}* is your verification code. For your security, do not share this code.",
        example: { body_text: [["123456"]] },
      },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
    ],
  },
  {
    name: "flash_offer",
    language: "de",
    category: "MARKETING",
    status: "DISABLED",
    components: [
      { type: "HEADER", format: "VIDEO", example: { header_handle: ["4::dmlk"] } },
      { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Nur heute!", has_expiration: true } },
      {
        type: "BODY",
        text: "Hallo {{1}}, spare ~50 €~ *25 €* mit dem Code `BLITZ25`.",
        example: { body_text: [["Jonas"]] },
      },
      {
        type: "BUTTONS",
        buttons: [
          { type: "COPY_CODE", example: "BLITZ25" },
          { type: "URL", text: "Zum Angebot", url: "https://laden.example" },
        ],
      },
      { type: "SOMETHING_NEW", weight: 3 },
    ],
  },
  {
    name: "appointment_reminder",
    language: "en_US",
    category: "UTILITY",
    status: "APPROVED",
    archived: true,
    components: [
      { type: "HEADER", format: "LOCATION" },
      {
        type: "BODY",
        text: "We see you on {{1}} at {{2}}.\n- Bring your card\n- Arrive ten minutes early",
        example: { body_text: [["Monday", "9:30"]] },
      },
    ],
  },
  {
    name: "hostile_text",
    language: "fr",
    category: "UTILITY",
    status: "QUARANTINED",
    components: [
      {
        type: "BODY",
        text:
          "<img src=x onerror=alert(1)> <b>ceci</b> reste du texte, javascript:alert(1) aussi. " +
          "Très long. ".repeat(30),
      },
    ],
  },
];

export interface FakeTemplate {
  row: TemplateRow;
  template: Template;
}

const DAY = 24 * HOUR;

/** Every tenth template was last used eleven months ago; of every eighth no use is known. */
function archivalOf(isArchived: boolean, index: number): TemplateRow["archival"] {
  const lastActivity = index % 8 === 7 ? null : NOW - (index % 10 === 2 ? 330 * DAY : index * HOUR);
  if (isArchived) {
    const archivedAt = NOW - index * 5 * HOUR;
    return { kind: "archived", lastActivity, archivedAt, deletedAt: archivedAt + 28 * DAY };
  }
  if (lastActivity === null) return { kind: "unknownUse", lastActivity };
  const archivedAt = lastActivity + 365 * DAY;
  return { kind: "coming", lastActivity, archivedAt, deletedAt: archivedAt + 28 * DAY };
}

function fakeTemplate(sample: Sample, index: number): FakeTemplate {
  const components = sample.components as Component[];
  const body = components.find((component) => component.type === "BODY");
  const header = components.find((component) => component.type === "HEADER");
  return {
    row: {
      reference: `5f3b8f0e-0000-4000-8000-${String(index).padStart(12, "0")}`,
      name: sample.name,
      language: sample.language,
      category: sample.category,
      status: sample.status,
      archived: sample.archived ?? false,
      kind: "cloud_api",
      header: header && "format" in header ? header.format : null,
      excerpt: (body && "text" in body ? (body.text ?? "") : "").replace(/\s+/g, " ").slice(0, 160),
      wabas: index % 3 === 0 ? ["102290129340398", "102290129340411"] : ["102290129340398"],
      quality: QUALITIES[index % QUALITIES.length] ?? null,
      businessId: index % 4 === 0 ? null : "5550001",
      carousel: components.some(({ type }) => type === "CAROUSEL"),
      sample: index % 9 === 8,
      askedCategory: index % 13 === 5 ? "UTILITY" : null,
      stateSince: index % 7 === 6 ? null : NOW - index * 5 * HOUR,
      stateSinceExact: index % 3 !== 1,
      upstreamDeletionAt: sample.archived ? NOW - index * 5 * HOUR + 28 * 24 * HOUR : null,
      lastSentAt: index % 2 === 0 ? NOW - index * HOUR : null,
      archival: archivalOf(sample.archived === true, index),
      rejectedReason: sample.rejected ?? null,
      updatedAt: NOW - index * 5 * HOUR,
    },
    template: {
      name: sample.name,
      language: sample.language,
      category: sample.category,
      type: "cloud_api",
      components,
    } as Template,
  };
}

/** The samples, then simple templates up to `count`. */
export function fakeTemplates(count: number): FakeTemplate[] {
  const languages = ["en_US", "pt_BR", "es", "de", "fr"];
  const categories = ["UTILITY", "MARKETING"];
  return Array.from({ length: count }, (_, index) => {
    const sample = SAMPLES[index];
    if (sample) return fakeTemplate(sample, index);
    return fakeTemplate(
      {
        name: `campaign_${String(index).padStart(4, "0")}`,
        language: languages[index % languages.length] ?? "en_US",
        category: categories[index % categories.length] ?? "UTILITY",
        status: index % 11 === 0 ? "PENDING" : index % 17 === 0 ? "REJECTED" : "APPROVED",
        components: [
          {
            type: "BODY",
            text: `Hello {{1}}, this is message number ${index} of the series.`,
            example: { body_text: [["Ana"]] },
          },
        ],
      },
      index,
    );
  });
}

/** A number roughly as people write it; the host knows the plans of countries. */
export const formatted = (digits: string) =>
  digits.startsWith("55") ? `+55 ${digits.slice(2, 4)} ${digits.slice(4, 9)}-${digits.slice(9)}` : `+${digits}`;

/** A message of one line. */
export const lineBubble = (text: string): Bubble => ({
  body: [{ kind: "line", runs: [{ text }] }],
  buttons: [],
  visible_buttons: 0,
  cards: [],
  right_to_left: false,
  unknown: [],
});

export const SENDS: SendRow[] = [
  { state: "read", recipient: "5511990001111" },
  { state: "delivered", recipient: "5511990002222" },
  { state: "sent", recipient: "447700900123" },
  { state: "failed", recipient: "15550100", errorCode: "131053", errorTitle: "Media upload error" },
  {
    state: "refused",
    recipient: "4915200000000",
    errorCode: "132000",
    errorTitle: "Number of parameters does not match",
  },
  { state: "unknown", recipient: "33600000000" },
  { state: "accepted", recipient: "5511990001111" },
].map((row, index) => ({
  id: `send-${index + 1}`,
  formatted: formatted(row.recipient),
  kind: "template",
  number: "108001",
  recipientName: row.recipient === "5511990001111" ? "Maria Souza" : null,
  reference: `5f3b8f0e-0000-4000-8000-${String(index % 2 ? 2 : 0).padStart(12, "0")}`,
  templateName: index % 2 ? "order_shipped" : "summer_sale_2026",
  language: "en_US",
  createdAt: NOW - index * 47 * MINUTE,
  errorCode: null,
  errorTitle: null,
  ...row,
}));

/** Several pages of events, one per delivery. */
export const EVENTS: EventRow[] = Array.from({ length: 1_200 }, (_, index) => {
  const kinds = ["status", "status", "message", "template_status", "unknown"] as const;
  const kind = kinds[index % kinds.length] ?? "status";
  const status = ["sent", "delivered", "read"][index % 3] ?? "sent";
  const contact = kind === "status" || kind === "message" ? (index % 7 === 0 ? "447700900123" : "5511990001111") : null;
  const template = kind === "template_status" ? "summer_sale_2026" : null;
  const summaries = {
    status: status,
    message: index === 1_102 ? "Do you have it in turquoise?" : "Is it also available in blue?",
    template_status: "APPROVED",
    unknown: "account_review_update",
  };
  return {
    id: `event-${index + 1}`,
    seq: 1_200 - index,
    receivedAt: NOW - index * 3 * MINUTE,
    at: NOW - index * 3 * MINUTE,
    kind,
    field:
      kind === "template_status"
        ? "message_template_status_update"
        : kind === "unknown"
          ? "account_review_update"
          : "messages",
    workspace: "sandbox",
    subject: contact ?? template ?? "15550100",
    summary: summaries[kind],
    status: kind === "status" ? status : kind === "template_status" ? "APPROVED" : null,
    number: kind === "status" || kind === "message" ? "108001" : null,
    contact,
    template,
    ofTemplate:
      kind === "template_status" || index % 5 === 0
        ? { name: "summer_sale_2026", language: "en_US", reference: "5f3b8f0e-0000-4000-8000-000000000000" }
        : null,
    deliveries: index % 9 === 0 ? 3 : 1,
  };
});

// The fake host's sandbox: phones that reply, scripts and settings.

import type { DeskEvent, PhoneMessage, PhoneRow, PhoneScript, PhoneScriptRow, SandboxSettings } from "@/bindings/app";
import type { Template } from "@/bindings/model";
import { THUMBNAIL } from "./fake-answers";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { fakeTemplates, formatted, NOW } from "./fixtures";
import { render } from "./rules";

type Commands =
  | "get_sandbox_settings"
  | "save_sandbox_settings"
  | "reset_sandbox"
  | "list_phones"
  | "add_phone"
  | "list_phone_messages"
  | "tap_button"
  | "type_text"
  | "revise_phone_message"
  | "choose_phone_marketing"
  | "send_phone_file"
  | "read_phone"
  | "list_phone_scripts"
  | "save_phone_script"
  | "list_failure_codes";

type FakeMessage = PhoneMessage & { template?: Template };

const MINUTE = 60_000;
const MARIA = "5511990001111";

export function phoneHandlers(emit: (event: DeskEvent) => void): Pick<Handlers, Commands> {
  let settings: SandboxSettings = {
    profile: "whatsapp",
    minimal: {
      listing: "data",
      archived: true,
      category: true,
      creation: "uuid",
      messageId: true,
      emptyAnswers: false,
    },
    review: "auto",
    reviewDelayMs: 2000,
    statusDelayMs: 800,
    webhooks: {
      paused: false,
      delayMs: 0,
      duplicates: 0,
      reorder: false,
      batch: 1,
      windowMs: 250,
      signature: "right",
    },
    tapForm: "interactive",
    errorForm: "profile",
    autoRead: true,
    mediaLinks: "both",
    throttle: false,
    fault: null,
    customized: false,
  };
  const scripts = new Map<string, PhoneScript>();
  const threads = new Map<string, FakeMessage[]>([
    [MARIA, mariasMessages()],
    ["447700900123", []],
  ]);
  const stopped = new Map<string, string[]>();
  const names = new Map([[MARIA, "Maria Souza"]]);
  let next = 1;

  const thread = (recipient: string) => threads.get(recipient) ?? refusal({ code: "notFound", what: recipient });
  const reply = (recipient: string, message: Partial<PhoneMessage>) => {
    thread(recipient).push({ ...fromPhone(`reply-${next++}`, Date.now()), ...message });
    emit({ type: "sandboxChanged" });
    return {};
  };
  const phones = (): PhoneRow[] =>
    [...threads].map(([recipient, messages]) => {
      const last = messages.at(-1);
      return {
        recipient,
        formatted: formatted(recipient),
        name: names.get(recipient) ?? null,
        messages: messages.length,
        lastAt: last?.at ?? NOW,
        lastKind: last?.kind ?? "",
        excerpt: last?.text ?? last?.media?.name ?? "",
        script: scripts.get(recipient) ?? null,
        marketingStopped: stopped.get(recipient) ?? [],
      };
    });

  return {
    get_sandbox_settings: () => settings,
    save_sandbox_settings: (request) => {
      settings = request;
      return request;
    },
    reset_sandbox: () => {
      threads.clear();
      emit({ type: "sandboxChanged" });
      return {};
    },
    list_phones: phones,
    choose_phone_marketing: ({ recipient, number, isStopped }) => {
      stopped.set(recipient, isStopped && number ? [number] : []);
      return {};
    },
    add_phone: ({ recipient: typed, name }) => {
      const recipient = typed.replace(/[\s+().-]/g, "");
      if (!/^\d{7,15}$/.test(recipient)) {
        refusal({ code: "invalidInput", field: "recipient", message: "Enter 7 to 15 digits with country code." });
      }
      if (!threads.has(recipient)) threads.set(recipient, []);
      if (name) names.set(recipient, name);
      return phones().find((row) => row.recipient === recipient) as PhoneRow;
    },
    list_phone_messages: ({ recipient }) => Promise.all(thread(recipient).map(shown)),
    tap_button: async ({ recipient, message: id, button, card, form }) => {
      const message = thread(recipient).find((row) => row.id === id);
      const bubble = message && (await shown(message)).bubble;
      const buttons = card == null ? bubble?.buttons : bubble?.cards[card]?.buttons;
      message?.taps.push({ button, card: card ?? null, at: Date.now() });
      return reply(recipient, { kind: form ?? settings.tapForm, text: buttons?.[button]?.label ?? "", replyTo: id });
    },
    type_text: ({ recipient, text, replyTo }) => reply(recipient, { text, replyTo: replyTo ?? null }),
    revise_phone_message: ({ recipient, message: id, text }) => {
      const messages = thread(recipient);
      const index = messages.findIndex((message) => message.id === id);
      const message = messages[index] ?? refusal({ code: "notFound", what: id });
      messages[index] = text == null ? { ...message, kind: "revoke", text: null } : { ...message, text, edited: true };
      emit({ type: "sandboxChanged" });
      return {};
    },
    send_phone_file: ({ recipient, caption }) => {
      reply(recipient, {
        kind: "image",
        text: caption ?? null,
        media: { kind: "image", name: "boots.jpg", mime: "image/jpeg", bytes: 182_344, thumbnail: THUMBNAIL },
      });
      return true;
    },
    read_phone: ({ recipient }) => {
      for (const message of thread(recipient)) if (message.status === "delivered") message.status = "read";
      return {};
    },
    list_phone_scripts: (): PhoneScriptRow[] => [...scripts].map(([recipient, script]) => ({ recipient, script })),
    save_phone_script: ({ recipient, script }) => {
      if (script) scripts.set(recipient, script);
      else scripts.delete(recipient);
      return phones();
    },
    list_failure_codes: () => [
      { code: 131_026, meaning: "The message cannot be delivered." },
      { code: 131_047, meaning: "More than 24 hours have passed." },
      { code: 131_053, meaning: "The media could not be used." },
    ],
  };
}

function fromPhone(id: string, at: number): PhoneMessage {
  return {
    id,
    fromPhone: true,
    at,
    kind: "text",
    text: null,
    status: "received",
    taps: [],
    edited: false,
    number: "108001",
  };
}

function fromBusiness(id: string, at: number, template?: Template): FakeMessage {
  return { ...fromPhone(id, at), fromPhone: false, kind: "template", template, status: "read" };
}

/** A message with the bubble of its template. */
async function shown({ template, ...message }: FakeMessage): Promise<PhoneMessage> {
  return { ...structuredClone(message), bubble: template ? await render(template) : null };
}

/** A thread with every kind of message that a phone can show. */
function mariasMessages(): FakeMessage[] {
  const templates = fakeTemplates(10).map(({ template }) => template);
  const named = (name: string) => templates.find((template) => template.name === name);
  return [
    { ...fromBusiness("p0", NOW - 30 * 60 * MINUTE, named("new_arrivals")), taps: [{ card: 0, button: 1, at: NOW }] },
    fromBusiness("p1", NOW - 60 * MINUTE, named("summer_sale_2026")),
    { ...fromPhone("p2", NOW - 58 * MINUTE), kind: "button", text: "Not interested", replyTo: "p1" },
    {
      ...fromPhone("p3", NOW - 50 * MINUTE),
      kind: "document",
      media: { kind: "document", name: "invoice-10482.pdf", mime: "application/pdf", bytes: 48_120 },
    },
    {
      ...fromPhone("p4", NOW - 48 * MINUTE),
      kind: "sticker",
      media: { kind: "sticker", name: "thanks.webp", mime: "image/webp", bytes: 20_480, thumbnail: THUMBNAIL },
    },
    { ...fromBusiness("p5", NOW - 20 * MINUTE), kind: "text", text: "Your parcel is on its way", status: "sent" },
    {
      ...fromBusiness("p6", NOW - 10 * MINUTE, named("order_shipped")),
      status: "failed",
      error: { code: 131_053, title: "Media upload error" },
    },
    { ...fromPhone("p7", NOW - 4 * MINUTE), text: "Is it also available in blue? 💙" },
  ];
}

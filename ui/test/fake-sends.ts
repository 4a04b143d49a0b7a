// The fake host's sends: a form with a part of every kind, and a page for every outcome.

import type { SendForm, SendRequest, SendRow, SendText } from "@/bindings/app";
import type { SendPart, SendProblem } from "@/bindings/model";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { type FakeTemplate, NOW, SENDS } from "./fixtures";
import { render } from "./rules";

type SendHandlers = Pick<
  Handlers,
  | "get_send_form"
  | "preview_send"
  | "preflight_send"
  | "get_link_picture"
  | "send_template"
  | "preview_text"
  | "send_text"
  | "get_service_window"
  | "list_sends"
  | "get_send"
>;

/** One pixel. */
const PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
const CALLBACK = '{"order":1234,"td":"9f2c6d01aa77be40"}';
const part = (
  id: string,
  kind: SendPart["kind"],
  label: string,
  sample = "",
  more: Partial<SendPart> = {},
): SendPart => ({
  id,
  kind,
  section: (id.replace(/^card\.\d+\./, "").split(".")[0] ?? "body") as SendPart["section"],
  label,
  required: true,
  sample,
  ...more,
});

const BODY = "Hello {{1}}! Our summer sale is on: up to {{2}} off everything you saved.";

function partsOf({ template }: FakeTemplate): SendPart[] {
  const has = (type: string) => template.components.some((component) => component.type === type);
  const cards = [0, 1, 2].flatMap((card) => [
    part(`card.${card}.header.link`, "link", "IMAGE", `https://shop.example/${card}.jpg`, { card, media: "image" }),
    part(`card.${card}.button.0.url`, "suffix", "Ver", `p${card}`, { card, prefix: "https://tienda.example/" }),
    part(`card.${card}.button.1.payload`, "payload", "Guardar", "", { card, required: false }),
  ]);
  return [
    part("header.link", "link", "IMAGE", "https://shop.example/summer.jpg", { media: "image" }),
    part("body.1", "text", "1", "Maria", { limit: 60, context: BODY }),
    part("body.2", "text", "2", "40%", { limit: 60, context: BODY }),
    part("footer.text", "text", "Reply STOP to unsubscribe", "", { required: false, limit: 60 }),
    ...(has("LIMITED_TIME_OFFER") ? [part("offer.expiration", "instant", "Nur heute!")] : []),
    part("button.0.url", "suffix", "Shop the sale", "a1", { prefix: "https://shop.example/sale/" }),
    part("button.1.payload", "payload", "Remind me later", "", { required: false }),
    ...(has("LIMITED_TIME_OFFER") ? [part("button.2.order_details", "json", "Review and pay")] : []),
    ...(has("CAROUSEL") ? cards : []),
  ];
}

function problem(field: string, code: SendProblem["code"], more: Partial<SendProblem> = {}): SendProblem {
  return { field, code, severity: "error", values: {}, message: code, ...more };
}

/** Enough of the rules to look at screens. */
function problemsOf(request: SendRequest, parts: SendPart[]): SendProblem[] {
  const found: SendProblem[] = [];
  if (request.to.trim() === "") found.push(problem("to", "to.missing"));
  else if (request.to.replace(/\D/g, "").length < 8) {
    found.push(problem("to", "to.invalid", { values: { reason: "it is too short", fault: "tooShort" } }));
  }
  for (const { id, required, kind } of parts) {
    const value = request.values[id] ?? "";
    if (value === "" && required) found.push(problem(id, "value.missing", { errorCode: 131008 }));
    if (kind === "text" && value.includes("\n")) found.push(problem(id, "value.newline", { errorCode: 132012 }));
    if (id === "footer.text" && value !== "") found.push(problem(id, "value.footer", { severity: "warning" }));
    if (kind === "suffix" && value.includes(" ")) {
      found.push(problem(id, "value.urlEncoding", { severity: "warning", values: { char: "space", encoded: "%20" } }));
    }
    if (kind === "json" && value !== "") {
      try {
        JSON.parse(value);
      } catch (error) {
        const values = { line: "1", column: "1", detail: String(error) };
        found.push(problem(id, "value.json", { values }));
      }
    }
  }
  if (
    request.track &&
    !request.exactCallback &&
    request.callbackData.trim() !== "" &&
    !isObject(request.callbackData)
  ) {
    found.push(problem("callbackData", "callback.notObject"));
  }
  return found;
}

function isObject(text: string): boolean {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === "object" && read !== null && !Array.isArray(read);
  } catch {
    return false;
  }
}

function callbackOf({ callbackData, track, exactCallback }: SendRequest | SendText): string | null {
  if (exactCallback || !track) return callbackData === "" ? null : callbackData;
  const own = isObject(callbackData) ? (JSON.parse(callbackData) as object) : {};
  return JSON.stringify({ ...own, td: "set-when-sent" });
}

const curlOf = (payload: string) =>
  `curl -X POST 'https://provider.example/messaging/provider/108001/send-message' \\\n  -H "Authorization: Bearer $TDESK_TOKEN" \\\n  -d '${payload}'`;

export function sendHandlers(find: (reference: string) => FakeTemplate): SendHandlers {
  const formOf = (reference: string): SendForm => {
    const found = find(reference);
    const { row } = found;
    const approved = row.status === "APPROVED" && !row.archived;
    const code = row.archived ? "template.archived" : "template.status";
    return {
      name: row.name,
      language: row.language,
      blocked: approved ? null : problem("template", code, { values: { status: row.status } }),
      parts: partsOf(found),
      numbers: [{ id: "108001", label: "Main number", wabaId: "", ownWebhook: false }],
      recentRecipients: ["5511990001111", "447700900123"],
      cachedAt: NOW - 4 * 60_000,
      status: row.status,
      archived: row.archived === true,
      category: row.category,
    };
  };
  const sent = (row: Partial<SendRow> & Pick<SendRow, "kind" | "number" | "recipient">): SendRow => {
    const whole: SendRow = {
      id: `send-${SENDS.length + 1}`,
      templateName: "",
      language: "",
      state: "accepted",
      createdAt: Date.now(),
      ...row,
    };
    SENDS.unshift(whole);
    return whole;
  };
  return {
    get_send_form: ({ reference }) => formOf(reference),
    preview_send: async (request) => {
      const { row, template } = find(request.reference);
      const callback = callbackOf(request);
      const payload = JSON.stringify({
        messaging_product: "messaging",
        to: request.to,
        type: "template",
        ...(callback === null ? {} : { biz_opaque_callback_data: callback }),
        template: { name: row.name },
      });
      const bubble = await render(template, request.values);
      const problems = problemsOf(request, formOf(request.reference).parts);
      return { payload, curl: curlOf(payload), bubble, problems, callback };
    },
    get_link_picture: () => ({ thumbnail: PICTURE }),
    preflight_send: (request) => {
      const form = formOf(request.reference);
      const problems = problemsOf(request, form.parts);
      const media = form.parts
        .filter(({ id, kind }) => kind === "link" && request.values[id])
        .map(({ id }) => {
          const url = request.values[id] ?? "";
          const large = url.includes("large");
          const gone = url.includes("gone");
          if (large) {
            const values = { bytes: "6000000", limit: "5242880" };
            problems.push(problem(id, "media.tooLarge", { values, errorCode: 131053 }));
          }
          if (gone) {
            const values = { status: "404" };
            problems.push(problem(id, "media.status", { severity: "warning", values, errorCode: 131053 }));
          }
          return gone
            ? { part: id, url, state: "unreachable" as const, detail: "404" }
            : {
                part: id,
                url,
                state: large ? ("tooLarge" as const) : ("ok" as const),
                bytes: large ? 6_000_000 : 182_344,
                mime: "image/jpeg",
              };
        });
      const digits = request.to.replace(/\D/g, "");
      return {
        problems,
        media,
        template: { status: form.status, archived: form.archived, cachedAt: form.cachedAt ?? null },
        recipient: digits.startsWith("55")
          ? { digits, e164: `+${digits}`, formatted: `+55 11 ${digits.slice(4)}`, country: "BR", kind: "mobile" }
          : {},
        checkedAt: NOW,
      };
    },
    send_template: (request) => {
      const { row } = find(request.reference);
      return sent({
        kind: "template",
        number: request.number,
        recipient: request.to,
        reference: row.reference,
        templateName: row.name,
        language: row.language,
      });
    },
    preview_text: async (request) => {
      const callback = callbackOf(request);
      const payload = JSON.stringify({ to: request.to, type: "text", text: { body: request.text } });
      const bubble = await render({ components: [{ type: "BODY", text: request.text }] });
      const problems: SendProblem[] = [];
      if (request.to.trim() === "") problems.push(problem("to", "to.missing"));
      if (request.text.trim() === "") problems.push(problem("text", "text.missing"));
      if (request.to.startsWith("44")) {
        problems.push(problem("text", "text.windowClosed", { severity: "warning", errorCode: 131047 }));
      }
      return { payload, curl: curlOf(payload), bubble, problems, callback };
    },
    send_text: ({ number, to, text }) => sent({ kind: "text", number, recipient: to, text }),
    get_service_window: ({ to }) => {
      if (to.startsWith("55")) return { lastInboundAt: Date.now() - 3_600_000, openUntil: Date.now() + 82_800_000 };
      if (to.startsWith("44")) return { lastInboundAt: NOW - 172_800_000, openUntil: NOW - 86_400_000 };
      return {};
    },
    list_sends: ({ template, recipient, state }) => ({
      rows: SENDS.filter(
        (row) =>
          (!template || row.templateName === template) &&
          (!recipient || row.recipient === recipient.replace(/\D/g, "")) &&
          (!state || row.state === state),
      ),
    }),
    get_send: ({ send }) => {
      const row = SENDS.find(({ id }) => id === send) ?? refusal({ code: "notFound", what: `Send ${send}` });
      const failed = row.state === "failed";
      const payload = JSON.stringify({
        messaging_product: "messaging",
        to: row.recipient,
        type: row.kind,
        biz_opaque_callback_data: CALLBACK,
        template: { name: row.templateName, language: { code: row.language } },
      });
      const silent = row.state === "unknown" || row.state === "refused" || row.state === "accepted";
      const statuses = silent ? [] : failed ? ["sent", "failed"] : ["sent", "read", "delivered"];
      return {
        row,
        payload,
        curl: curlOf(payload),
        request: { method: "POST", url: "https://provider.example/messaging/provider/108001/send-message" },
        response: JSON.stringify({ messages: [{ id: "wamid.HBgM" }] }),
        responseStatus: 200,
        messageId: "wamid.HBgM",
        trackingId: "9f2c6d01aa77be40",
        callbackData: CALLBACK,
        timeline: statuses.map((status, index) => ({
          status,
          at: row.createdAt + index * 1500,
          receivedAt: row.createdAt + index * 1500 + 400,
          deliveries: status === "read" ? 3 : 1,
          event: `event-${index + 1}`,
          late: status === "delivered",
          callbackData: CALLBACK,
          pricing: status === "sent" ? { charged: true, model: "PMP", type: "regular", category: "marketing" } : null,
          conversation: status === "sent" ? { id: "c-77", origin: "marketing", expiresAt: NOW + 86_400_000 } : null,
          error: status === "failed" ? '{"code":131053,"title":"Media upload error","retryable":false}' : null,
          explanation: status === "failed" ? { code: "131053", known: true, retry: "no", message: "…" } : null,
        })),
        again: {
          workspace: "sandbox",
          reference: row.reference ?? "",
          number: row.number,
          to: row.recipient,
          values: { "body.1": "Ana", "body.2": "15%", "header.link": "https://shop.example/again.jpg" },
          callbackData: '{"order":1234}',
          track: true,
          exactCallback: false,
          overrides: [],
        },
        replies:
          row.state === "read" ? [{ event: "event-3", at: row.createdAt + 90_000, text: "Remind me later" }] : [],
      };
    },
  };
}

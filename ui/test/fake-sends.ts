// The fake host's sends: a form with a part of every kind, and a page for every outcome.

import type { SendForm, SendRequest, SendRow, Workspace } from "@/bindings/app";
import type { Button, Component, SendProblem, Template } from "@/bindings/model";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { type FakeTemplate, formatted, lineBubble, NOW, SENDS } from "./fixtures";
import { previewSend, previewText, sendForm } from "./rules";

type SendHandlers = Pick<
  Handlers,
  | "get_send_form"
  | "list_recent_contacts"
  | "preview_send"
  | "preflight_send"
  | "get_link_picture"
  | "send_template"
  | "preview_text"
  | "send_text"
  | "cancel_send"
  | "get_service_window"
  | "list_sends"
  | "get_send"
>;

/** One pixel. */
const PICTURE = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";
const BODY = "Hello {{1}}! Our summer sale is on: up to {{2}} off everything you saved.";
const CALLBACK = '{"order":1234,"td":"9f2c6d01aa77be40"}';

/** The content of the form: a part of every kind, whatever else the template contains. */
function formContent({ template }: FakeTemplate): Template {
  const has = (type: string) => template.components.some((component) => component.type === type);
  const image = (link: string): Component => ({ type: "HEADER", format: "IMAGE", example: { header_handle: [link] } });
  const cards = [0, 1, 2].map((card) => ({
    components: [
      image(`https://shop.example/${card}.jpg`),
      {
        type: "BUTTONS",
        buttons: [
          {
            type: "URL",
            text: "Ver",
            url: "https://tienda.example/{{1}}",
            example: [`https://tienda.example/p${card}`],
          },
          { type: "QUICK_REPLY", text: "Guardar" },
        ],
      },
    ] as Component[],
  }));
  const buttons: Button[] = [
    {
      type: "URL",
      text: "Shop the sale",
      url: "https://shop.example/sale/{{1}}",
      example: ["https://shop.example/sale/a1"],
    },
    { type: "QUICK_REPLY", text: "Remind me later" },
  ];
  if (has("LIMITED_TIME_OFFER")) buttons.push({ type: "ORDER_DETAILS", text: "Review and pay" });
  const components: Component[] = [
    image("https://shop.example/summer.jpg"),
    { type: "BODY", text: BODY, example: { body_text: [["Maria", "40%"]] } },
    { type: "FOOTER", text: "Reply STOP to unsubscribe" },
    { type: "BUTTONS", buttons },
  ];
  if (has("LIMITED_TIME_OFFER")) {
    components.splice(1, 0, {
      type: "LIMITED_TIME_OFFER",
      limited_time_offer: { text: "Nur heute!", has_expiration: true },
    });
  }
  if (has("CAROUSEL")) components.push({ type: "CAROUSEL", cards });
  return { ...template, components };
}

function problem(field: string, code: SendProblem["code"], more: Partial<SendProblem> = {}): SendProblem {
  return { field, code, severity: "error", values: {}, message: code, ...more };
}

const curlOf = (payload: string) =>
  `curl -X POST 'https://provider.example/messaging/provider/108001/send-message' \\\n  -H "Authorization: Bearer $TDESK_TOKEN" \\\n  -d '${payload}'`;

export function sendHandlers(
  find: (reference: string) => FakeTemplate,
  workspaceOf: (id: string) => Workspace,
): SendHandlers {
  /** A send as the rules take it. */
  const sendOf = (request: SendRequest) => {
    const found = find(request.reference);
    const { status, archived } = found.row;
    const { settings } = workspaceOf(request.workspace);
    const { wabas } = found.row;
    return { settings, template: formContent(found), status, archived: archived === true, wabas, request };
  };
  const formOf = async (workspace: string, reference: string): Promise<SendForm> => {
    const { row } = find(reference);
    const blank = { callbackData: "", exactCallback: false, overrides: [], track: true };
    const form = await sendForm(sendOf({ workspace, reference, number: "", to: "", values: {}, ...blank }));
    return {
      ...form,
      name: row.name,
      language: row.language,
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
      formatted: formatted(row.recipient),
      ...row,
    };
    SENDS.unshift(whole);
    return whole;
  };
  return {
    get_send_form: ({ workspace, reference }) => formOf(workspace, reference),
    list_recent_contacts: () => [
      { number: "5511990001111", formatted: formatted("5511990001111"), name: "Maria Souza" },
      { number: "447700900123", formatted: formatted("447700900123"), name: null },
    ],
    preview_send: (request) => previewSend(sendOf(request)),
    get_link_picture: () => ({ thumbnail: PICTURE }),
    preflight_send: async (request) => {
      const form = await formOf(request.workspace, request.reference);
      const { problems, recipient } = await previewSend(sendOf(request));
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
      return {
        problems,
        media,
        template: { status: form.status, archived: form.archived, cachedAt: form.cachedAt ?? null },
        recipient,
        checkedAt: NOW,
      };
    },
    send_template: (request) => {
      const { row } = find(request.reference);
      return sent({
        kind: "template",
        number: request.number,
        recipient: request.to.replace(/\D/g, ""),
        reference: row.reference,
        templateName: row.name,
        language: row.language,
      });
    },
    preview_text: async (request) => {
      const preview = await previewText({ settings: workspaceOf(request.workspace).settings, request });
      if (/^\+?44/.test(request.to)) {
        preview.problems.push(problem("text", "text.windowClosed", { severity: "warning", errorCode: 131047 }));
      }
      return preview;
    },
    send_text: ({ number, to, text }) => sent({ kind: "text", number, recipient: to.replace(/\D/g, ""), text }),
    cancel_send: () => ({}),
    get_service_window: ({ to }) => {
      if (/^\+?55/.test(to))
        return { lastInboundAt: Date.now() - 3_600_000, openUntil: Date.now() + 82_800_000, clockOffset: 0 };
      if (/^\+?44/.test(to)) return { lastInboundAt: NOW - 172_800_000, openUntil: NOW - 86_400_000, clockOffset: 0 };
      return { clockOffset: 0 };
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
      const price = { charged: true, model: "PMP", type: "regular", category: "marketing" };
      return {
        row,
        bubble: lineBubble(row.text ?? `Message of ${row.templateName}`),
        payload,
        curl: curlOf(payload),
        request: { method: "POST", url: "https://provider.example/messaging/provider/108001/send-message" },
        response: JSON.stringify({ messages: [{ id: "wamid.HBgM" }] }),
        responseStatus: 200,
        messageId: "wamid.HBgM",
        trackingId: "9f2c6d01aa77be40",
        callbackData: CALLBACK,
        isUndelivered: failed,
        pricing: silent || failed ? null : price,
        timeline: statuses.map((status, index) => ({
          status,
          at: row.createdAt + index * 1500,
          receivedAt: row.createdAt + index * 1500 + 400,
          deliveries: status === "read" ? 3 : 1,
          event: `event-${index + 1}`,
          late: status === "delivered",
          callbackData: CALLBACK,
          pricing: status === "sent" ? price : null,
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
          row.state === "read"
            ? [{ event: "event-3", at: row.createdAt + 90_000, kind: "button", text: "Remind me later" }]
            : [],
      };
    },
  };
}

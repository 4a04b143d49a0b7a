// The fake host's webhooks: events, their deliveries, and rejected deliveries.

import type {
  DeliveryDetail,
  DeskEvent,
  EventDetail,
  EventPage,
  EventQuery,
  EventRow,
  ForwardingState,
  ProjectionState,
  RefusedDetail,
} from "@/bindings/app";
import type { Diagnosis, Reason } from "@/bindings/receiver";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { EVENTS, NOW } from "./fixtures";
import { compareJson } from "./rules";

type Commands =
  | "list_events"
  | "get_event"
  | "get_delivery"
  | "compare_events"
  | "replay_events"
  | "rebuild_projection"
  | "get_projection"
  | "verify_signatures"
  | "export_events"
  | "get_forwarding"
  | "set_forwarding"
  | "forward_stored"
  | "list_refused_deliveries"
  | "get_refused_delivery";

/** Maximum number of events that are searched for one page, as in the host. */
const MAX_SEARCHED = 500;

export function activityHandlers(emit: (event: DeskEvent) => void, chosen: URLSearchParams): Pick<Handlers, Commands> {
  const last = EVENTS[0]?.seq ?? 0;
  let projection: ProjectionState = { done: last, total: last, rebuilding: false, behind: 0 };
  if (chosen.get("projection") === "rebuilding") {
    projection = { done: 4_203_518, total: 10_000_000, rebuilding: true, behind: 5_796_482 };
  }
  let forwarding: ForwardingState = { url: null, workspace: null, forwarded: 0, failed: 0, ended: false };
  if (chosen.get("forwarding") === "on") {
    forwarding = {
      url: "http://localhost:3000/webhook",
      workspace: "sandbox",
      forwarded: 118,
      ended: false,
      failed: 2,
      lastError: "it answered with 500",
      lastStatus: 500,
    };
  }
  const rowOf = (id: string) =>
    EVENTS.find((row) => row.id === id) ?? refusal({ code: "notFound", what: `Event ${id}` });

  return {
    list_events: listEvents,
    get_event: ({ event }) => eventDetail(rowOf(event)),
    get_delivery: ({ seq }) => delivery(seq),
    compare_events: async ({ left, right }) => ({
      lines: await compareJson(eventValue(rowOf(left)), eventValue(rowOf(right))),
    }),
    replay_events: ({ scope }) => {
      const inScope = (row: EventRow) =>
        scope.kind === "one" ? row.seq === scope.seq : row.seq >= scope.from && row.seq <= scope.to;
      const rows = EVENTS.filter(inScope);
      return { deliveries: new Set(rows.map(({ seq }) => seq)).size, items: rows.length, changed: 0 };
    },
    rebuild_projection: () => {
      projection = { done: 0, total: last, rebuilding: true, behind: last };
      emit({ type: "projectionProgress", done: 0, total: last, rebuilding: true });
      setTimeout(() => {
        projection = { done: last, total: last, rebuilding: false, behind: 0 };
        emit({ type: "projectionProgress", done: last, total: last, rebuilding: false });
      }, 1_500);
      return projection;
    },
    get_projection: () => projection,
    verify_signatures: ({ from, to }) => {
      const checked = EVENTS.filter(({ seq }) => seq >= (from ?? 1) && seq <= (to ?? last)).length;
      const invalid = Math.min(2, checked);
      return {
        checked,
        current: checked - invalid,
        previous: 0,
        absent: 0,
        invalid,
        invalidSeqs: EVENTS.slice(0, invalid).map(({ seq }) => seq),
        noSecret: 0,
      };
    },
    export_events: ({ query }) => ({
      path: "/home/ana/events-2026-11-20.jsonl",
      lines: EVENTS.filter((row) => passes(row, query)).length,
    }),
    get_forwarding: () => forwarding,
    set_forwarding: ({ url, workspace }) => {
      if (url != null) checkLocal(url);
      forwarding = { url: url ?? null, workspace: workspace ?? null, forwarded: 0, failed: 0, ended: false };
      return forwarding;
    },
    forward_stored: ({ url, scope }) => {
      checkLocal(url);
      return { sent: scope.kind === "one" ? 1 : Math.min(scope.to, last) - scope.from + 1, failed: 0 };
    },
    list_refused_deliveries: () => REFUSED.map(({ row }) => row),
    get_refused_delivery: ({ id }) =>
      REFUSED.find(({ row }) => row.id === id) ?? refusal({ code: "notFound", what: `Refused delivery ${id}` }),
  };
}

/** Forwarding accepts loopback addresses only. */
function checkLocal(url: string): void {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  const local = parsed && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(parsed.hostname);
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !local) {
    refusal({ code: "invalidInput", field: "url", message: "Only addresses of this computer are allowed." });
  }
}

function passes(row: EventRow, query: EventQuery): boolean {
  const words = (query.search ?? "").toLowerCase();
  return (
    (!query.workspace || row.workspace === query.workspace) &&
    (!query.kind || row.kind === query.kind) &&
    (!query.number || row.number === query.number) &&
    (!query.template || row.template === query.template) &&
    (!query.contact || row.contact === query.contact) &&
    (!query.status || row.status === query.status) &&
    (query.from == null || row.receivedAt >= query.from) &&
    (query.to == null || row.receivedAt < query.to) &&
    (words === "" || `${row.subject} ${row.summary}`.toLowerCase().includes(words))
  );
}

function listEvents(query: EventQuery): EventPage {
  const rows: EventRow[] = [];
  let position = query.after == null ? 0 : Number(query.after);
  const stop = Math.min(EVENTS.length, position + MAX_SEARCHED);
  while (position < stop && rows.length < query.limit) {
    const row = EVENTS[position];
    if (row && passes(row, query)) rows.push(row);
    position += 1;
  }
  const more = position < EVENTS.length;
  return {
    rows,
    next: more ? String(position) : null,
    searchedTo: more && rows.length < query.limit ? (EVENTS[position - 1]?.receivedAt ?? null) : null,
    behind: 0,
  };
}

function eventValue(row: EventRow): string {
  return JSON.stringify({
    messaging_product: "messaging",
    metadata: { display_phone_number: "15550100", phone_number_id: row.number ?? "108001" },
    ...(row.kind === "status"
      ? {
          statuses: [
            {
              id: `wamid.HBgM${row.seq}`,
              status: row.status,
              timestamp: String(Math.floor(row.receivedAt / 1000)),
              recipient_id: row.contact,
              conversation: { id: "f3a5c1", origin: { type: "marketing" } },
              pricing: { billable: true, pricing_model: "CBP", category: "marketing" },
            },
          ],
        }
      : row.kind === "message"
        ? { messages: [{ from: row.contact, id: `wamid.HBgM${row.seq}`, type: "text", text: { body: row.summary } }] }
        : { event: row.status, message_template_name: row.template }),
  });
}

function bodyOf(row: EventRow): string {
  return `{"object":"business_account","entry":[{"id":"102290129340398","changes":[{"field":"${row.field}","value":${eventValue(row)}}]}]}`;
}

const HEADERS: [string, string][] = [
  ["content-type", "application/json"],
  ["user-agent", "provider-webhooks/1.0"],
  ["x-hub-signature-256", `sha256=${"9f2c".repeat(16)}`],
];
const DIGEST = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

/** Added to the sequence number of each repeated delivery of an event, so that no other event has it. */
const REPEAT_OFFSET = 100_000;

function eventDetail(row: EventRow): EventDetail {
  return {
    row,
    value: eventValue(row),
    raw: bodyOf(row),
    headers: HEADERS,
    rawDigest: DIGEST,
    facts: [],
    arrivals: Array.from({ length: row.deliveries }, (_, index) => ({
      seq: row.seq + index * REPEAT_OFFSET,
      receivedAt: row.receivedAt + index * 61_000,
      ordinal: 0,
    })),
  };
}

function delivery(seq: number): DeliveryDetail {
  const row = EVENTS.find((event) => event.seq === seq % REPEAT_OFFSET);
  if (!row) return refusal({ code: "notFound", what: `Delivery ${seq}` });
  const repeat = Math.floor(seq / REPEAT_OFFSET);
  const raw = bodyOf(row);
  return {
    seq,
    receivedAt: row.receivedAt + repeat * 61_000,
    workspace: row.workspace,
    headers: HEADERS,
    raw,
    rawBase64: base64(raw),
    digest: DIGEST,
    items: [row],
    signature: { kind: row.kind === "unknown" ? "invalid" : repeat > 0 ? "previous" : "current" },
  };
}

export function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

const REFUSED: RefusedDetail[] = (
  [
    ["mismatch", { kind: "bodyChanged", change: "reserialised", secret: "current" }],
    ["mismatch", { kind: "otherSecret", tried: ["current", "previous"] }],
    ["missing", { kind: "noHeader", otherHeader: "x-signature", secret: "current" }],
    ["mismatch", { kind: "bodyChanged", change: "newlineAdded", secret: "previous" }],
    ["malformed", { kind: "wrongForm", faults: ["missingPrefix", "base64"], secret: "current" }],
    ["mismatch", { kind: "otherRoute", workspace: "sandbox", secret: "current" }],
    ["noSecret", { kind: "noSecret" }],
    ["storage", { kind: "plain" }],
  ] satisfies [Reason, Diagnosis][]
).map(([reason, diagnosis], index) => {
  const body = bodyOf(EVENTS[index * 3] as EventRow);
  return {
    row: {
      id: `refused-${index + 1}`,
      at: NOW - (index + 1) * 120_000,
      workspace: "acme",
      path: "/webhook/acme",
      status: reason === "storage" ? 503 : 401,
      reason,
      size: body.length,
      excerpt: body.slice(0, 80),
      diagnosis,
    },
    method: "POST",
    host: "hooks.acme.example",
    peer: "127.0.0.1:50412",
    headers: [...HEADERS, ["x-forwarded-for", "203.0.113.7"]],
    body,
    bodyBase64: base64(body),
    kept: body.length,
  };
});

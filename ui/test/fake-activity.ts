// What the fake host answers about webhooks: events, their deliveries, and what was refused.

import type {
  DeliveryDetail,
  DeskEvent,
  EventComparison,
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

/** So many events are looked at for a page before the search stops, as in the host. */
const MOST_LOOKED_AT = 500;

export function activityHandlers(emit: (event: DeskEvent) => void, chosen: URLSearchParams): Pick<Handlers, Commands> {
  const last = EVENTS[0]?.seq ?? 0;
  let projection: ProjectionState = { done: last, total: last, rebuilding: false, behind: 0 };
  if (chosen.get("projection") === "rebuilding") {
    projection = { done: 4_203_518, total: 10_000_000, rebuilding: true, behind: 5_796_482 };
  }
  let forwarding: ForwardingState = { url: null, workspace: null, forwarded: 0, failed: 0 };
  if (chosen.get("forwarding") === "on") {
    forwarding = {
      url: "http://localhost:3000/webhook",
      workspace: "sandbox",
      forwarded: 118,
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
    compare_events: ({ left, right }) => {
      return { lines: lineDiff(laidOut(eventValue(rowOf(left))), laidOut(eventValue(rowOf(right)))) };
    },
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
      forwarding = { url: url ?? null, workspace: workspace ?? null, forwarded: 0, failed: 0 };
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

/** Forwarding never leaves the computer. */
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
  let place = query.after == null ? 0 : Number(query.after);
  const stop = Math.min(EVENTS.length, place + MOST_LOOKED_AT);
  while (place < stop && rows.length < query.limit) {
    const row = EVENTS[place];
    if (row && passes(row, query)) rows.push(row);
    place += 1;
  }
  const more = place < EVENTS.length;
  return {
    rows,
    next: more ? String(place) : null,
    searchedTo: more && rows.length < query.limit ? (EVENTS[place - 1]?.receivedAt ?? null) : null,
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

const laidOut = (json: string) => JSON.stringify(JSON.parse(json), null, 2).split("\n");

/** Lines of both in order, by their longest common sequence. */
function lineDiff(before: string[], after: string[]): EventComparison["lines"] {
  const common = before.map(() => after.map(() => 0));
  const at = (left: number, right: number) => common[left]?.[right] ?? 0;
  for (let left = before.length - 1; left >= 0; left -= 1) {
    for (let right = after.length - 1; right >= 0; right -= 1) {
      const row = common[left] ?? [];
      row[right] =
        before[left] === after[right]
          ? at(left + 1, right + 1) + 1
          : Math.max(at(left + 1, right), at(left, right + 1));
    }
  }
  const lines: EventComparison["lines"] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    if (left < before.length && right < after.length && before[left] === after[right]) {
      lines.push({ change: "same", text: before[left] ?? "" });
      left += 1;
      right += 1;
    } else if (left < before.length && (right === after.length || at(left + 1, right) >= at(left, right + 1))) {
      lines.push({ change: "removed", text: before[left] ?? "" });
      left += 1;
    } else {
      lines.push({ change: "added", text: after[right] ?? "" });
      right += 1;
    }
  }
  return lines;
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

/** Deliveries of an event after the first come later, so their places are not those of other events. */
const AGAIN = 100_000;

function eventDetail(row: EventRow): EventDetail {
  return {
    row,
    value: eventValue(row),
    raw: bodyOf(row),
    headers: HEADERS,
    rawDigest: DIGEST,
    facts: [],
    arrivals: Array.from({ length: row.deliveries }, (_, place) => ({
      seq: place === 0 ? row.seq : row.seq + place * AGAIN,
      receivedAt: row.receivedAt + place * 61_000,
      ordinal: 0,
    })),
  };
}

function delivery(seq: number): DeliveryDetail {
  const row = EVENTS.find((event) => event.seq === seq % AGAIN);
  if (!row) return refusal({ code: "notFound", what: `Delivery ${seq}` });
  const again = Math.floor(seq / AGAIN);
  const raw = bodyOf(row);
  return {
    seq,
    receivedAt: row.receivedAt + again * 61_000,
    workspace: row.workspace,
    headers: HEADERS,
    raw,
    rawBase64: base64(raw),
    digest: DIGEST,
    items: [row],
    signature: { kind: row.kind === "unknown" ? "invalid" : again > 0 ? "previous" : "current" },
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
).map(([reason, diagnosis], place) => {
  const body = bodyOf(EVENTS[place * 3] as EventRow);
  return {
    row: {
      id: `refused-${place + 1}`,
      at: NOW - (place + 1) * 120_000,
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

// The fake host's servers that are followed. With `?feeds=many` in the page's address there is one in each state.

import type { DeskEvent, FeedSource, SaveFeed } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { refusal } from "./fake-host";
import { NOW } from "./fixtures";

type Name = "list_feeds" | "check_feed" | "save_feed" | "delete_feed" | "dismiss_feed_gap";

const BASE = { workspace: "acme", endpoint: null, lastEventAt: null, gaps: [] };

const DAY = 86_400_000;

const MANY: FeedSource[] = [
  {
    ...BASE,
    id: "feed-eu",
    address: "https://hooks.example.com/feed",
    state: { state: "connected" },
    lastEventAt: NOW - 42_000,
    gaps: [
      { why: "removed", reason: "removed", deliveries: 1_280, after: NOW - 9 * DAY, before: NOW - 4 * DAY },
      { why: "altered", reason: "altered", deliveries: 1, after: NOW - 7_260_000, before: NOW - 7_200_000 },
    ],
  },
  {
    ...BASE,
    id: "feed-us",
    address: "https://hooks-us.example.com/feed",
    endpoint: "/webhook/acme",
    state: { state: "behind", count: 48_120 },
  },
  { ...BASE, id: "feed-new", address: "https://hooks-new.example.com/", state: { state: "connecting" } },
  {
    ...BASE,
    id: "feed-old",
    address: "https://hooks-old.example.com/feed",
    state: {
      state: "refused",
      reason:
        "The server refuses the token; it may have been revoked. Make a new one on the server with tdesk desk add, and enter it here.",
    },
  },
  {
    ...BASE,
    id: "feed-away",
    address: "https://hooks-away.example.com/feed",
    state: {
      state: "failed",
      reason:
        "The server did not answer within 10 seconds. Check the address, and that the server runs with --feed-listen.",
    },
  },
];

/** Rejects a request whose address or token cannot be right, as the host does. */
function checkRequest({ id, address, token }: SaveFeed) {
  if (!URL.canParse(address.trim())) {
    const message = "Enter the address of the server's feed, such as https://hooks.example.com/feed.";
    refusal({ code: "invalidInput", field: "address", message });
  }
  if (!id && !token) {
    const message = "Enter the token. It is made on the server with tdesk desk add.";
    refusal({ code: "invalidInput", field: "token", message });
  }
}

export function feedHandlers(emit: (event: DeskEvent) => void, chosen: URLSearchParams): Pick<Handlers, Name> {
  let rows = chosen.get("feeds") === "many" ? MANY : [];
  return {
    list_feeds: () => ({ rows }),
    check_feed: (request) => {
      checkRequest(request);
      return { desk: "Ana", endpoints: ["/webhook", "/webhook/acme"], waiting: 1_204 };
    },
    save_feed: (request) => {
      checkRequest(request);
      const { workspace, address, endpoint } = request;
      const saved: FeedSource = {
        ...BASE,
        id: request.id ?? `feed-${rows.length + 1}`,
        workspace,
        address: address.trim(),
        endpoint: endpoint?.trim() || null,
        state: { state: "connecting" },
      };
      rows = request.id ? rows.map((row) => (row.id === request.id ? saved : row)) : [...rows, saved];
      emit({ type: "feedsChanged" });
      return { rows };
    },
    delete_feed: ({ id }) => {
      rows = rows.filter((row) => row.id !== id);
      emit({ type: "feedsChanged" });
      return { rows };
    },
    dismiss_feed_gap: ({ feed, why }) => {
      const kept = (row: FeedSource) => row.gaps.filter((gap) => row.id !== feed || gap.why !== why);
      rows = rows.map((row) => ({ ...row, gaps: kept(row) }));
      emit({ type: "feedsChanged" });
      return { rows };
    },
  };
}

// The fake host's webhook endpoints, one of which rejects deliveries, and workspaces that need attention.

import type { Endpoint, Workspace, WorkspaceSummary } from "@/bindings/app";
import type { Handlers } from "./fake-host";
import { NOW } from "./fixtures";

const MINUTE = 60_000;

/** The attention state in the page's address (`?attention=tokenExpiring`), for all workspaces but the sandbox. */
export function attentionOf(
  sandbox: boolean,
  tokenExpiresOn: string,
  chosen: URLSearchParams,
): Pick<WorkspaceSummary, "attention" | "tokenDaysLeft" | "tokenExpiresOn"> {
  const attention = chosen.get("attention");
  if (sandbox || attention === null) return { attention: "none", tokenDaysLeft: null, tokenExpiresOn };
  const left = { tokenExpiring: 5, tokenExpired: -2 }[attention] ?? null;
  return { attention: attention as WorkspaceSummary["attention"], tokenDaysLeft: left, tokenExpiresOn };
}

type Name = "get_endpoints" | "send_test_event";

export function endpointHandlers(workspaceOf: (id: string) => Workspace): Pick<Handlers, Name> {
  return {
    get_endpoints: ({ workspace }) => {
      const { id, sandbox, settings, secrets, webhookPath } = workspaceOf(workspace);
      const own: Endpoint = {
        number: null,
        label: settings.name,
        path: webhookPath,
        url: `http://127.0.0.1:8787${webhookPath}`,
        secrets: secrets.filter(({ number }) => number == null),
        lastEventAt: NOW - 12 * MINUTE,
        events: 4_822,
        refused: 0,
        lastRefused: null,
        health: "ok",
        secretUse: { currentAt: NOW - 12 * MINUTE, previousAt: null, previousUntil: null },
      };
      if (sandbox) return [own];
      const numbers = settings.numbers.filter(({ ownWebhook }) => ownWebhook);
      return [
        own,
        ...numbers.map(
          (number): Endpoint => ({
            ...own,
            number: number.id,
            label: number.label,
            path: `/webhook/${id}/${number.id}`,
            url: `http://127.0.0.1:8787/webhook/${id}/${number.id}`,
            secrets: secrets.filter((secret) => secret.number === number.id),
            lastEventAt: null,
            events: 0,
            refused: 7,
            lastRefused: { at: NOW - 2 * MINUTE, reason: "mismatch" },
            health: "refusing",
          }),
        ),
      ];
    },
    send_test_event: ({ number }) =>
      number == null
        ? { status: 200, error: null, tookMs: 14, stored: true }
        : {
            status: 401,
            error: { code: "conflict", message: "The receiver answered 401 and did not store the event." },
            tookMs: 6,
            stored: false,
          },
  };
}

import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { PreviewBatch, RecipientImportRequest, RowState, SendQuery, SendRequest, SendText } from "@/bindings/app";
import type { OutcomeGroup } from "@/bindings/model";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { keepPreviousUnder, PAGE_SIZE } from "@/lib/ipc/lists";
import { isUnderWay } from "@/lib/run-state";

const DAY = 86_400_000;
/** Time between two comparisons in milliseconds: of batches under way, and on the day after, when most statuses come. */
const COMPARISON_INTERVAL = { underWay: 2_000, sent: 10_000 };

export const sendsQueries = {
  sendForm: (workspace: string, reference: string) =>
    queryOptions({
      queryKey: keys.sendForm(workspace, reference),
      queryFn: () => call("get_send_form", { workspace, reference }),
    }),

  sendPreview: (request: SendRequest) =>
    queryOptions({
      queryKey: keys.sendPreview(request),
      queryFn: () => call("preview_send", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  batchPreview: (request: PreviewBatch) =>
    queryOptions({
      queryKey: ["batchPreview", request],
      queryFn: () => call("preview_batch", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  columnGuess: (workspace: string, reference: string, file: string) =>
    queryOptions({
      queryKey: ["columnGuess", workspace, reference, file],
      queryFn: () => call("guess_columns", { workspace, reference, file }),
    }),

  textPreview: (request: SendText) =>
    queryOptions({
      queryKey: ["textPreview", request],
      queryFn: () => call("preview_text", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  preflight: (request: SendRequest) =>
    queryOptions({
      queryKey: ["preflight", request],
      queryFn: () => call("preflight_send", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  serviceWindow: (workspace: string, to: string, number: string, country?: string | null) =>
    queryOptions({
      queryKey: [...keys.serviceWindow(workspace, to), number, country ?? ""] as const,
      queryFn: () => call("get_service_window", { workspace, to, number: number || null, country }),
    }),

  sends: (query: Omit<SendQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.sends(query.workspace), query] as const,
      queryFn: ({ pageParam }) => call("list_sends", { ...query, after: pageParam, limit: PAGE_SIZE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.sends(query.workspace)),
    }),

  send: (send: string) => queryOptions({ queryKey: keys.send(send), queryFn: () => call("get_send", { send }) }),

  recipientImport: (request: RecipientImportRequest) =>
    queryOptions({
      queryKey: [...keys.recipients(request.workspace), "import", request] as const,
      queryFn: () => call("plan_recipient_import", request),
      placeholderData: keepPreviousData,
      gcTime: 0,
    }),

  recentContacts: (workspace: string) =>
    queryOptions({
      queryKey: keys.recentContacts(workspace),
      queryFn: () => call("list_recent_contacts", { workspace }),
    }),

  batches: (workspace: string) =>
    queryOptions({ queryKey: keys.batches(workspace), queryFn: () => call("list_batches", { workspace }) }),

  /** The batch with its counts; its rows are a question of their own. */
  batch: (batch: string) =>
    queryOptions({ queryKey: keys.batch(batch), queryFn: () => call("get_batch", { batch, limit: 1 }) }),

  batchCost: (batch: string) =>
    queryOptions({
      queryKey: [...keys.batch(batch), "cost"] as const,
      queryFn: () => call("get_batch_cost", { batch }),
    }),

  /** What was chosen for a batch does not change. */
  batchMapping: (batch: string) =>
    queryOptions({
      queryKey: ["batchMapping", batch],
      queryFn: () => call("get_batch_mapping", { batch }),
      staleTime: Number.POSITIVE_INFINITY,
    }),

  rowsEstimate: (batch: string, states: RowState[]) =>
    queryOptions({
      queryKey: [...keys.batch(batch), "estimate", ...states] as const,
      queryFn: () => call("estimate_batch_rows", { batch, states }),
      staleTime: 0,
    }),

  batchRow: (batch: string, row: number) =>
    queryOptions({
      queryKey: [...keys.batch(batch), "row", row] as const,
      queryFn: () => call("preview_batch_row", { batch, row }),
      staleTime: 0,
    }),

  batchGroups: (batch: string) =>
    queryOptions({ queryKey: keys.batchGroups(batch), queryFn: () => call("get_batch_groups", { batch }) }),

  comparison: (workspace: string, first: string, second: string) =>
    queryOptions({
      queryKey: ["batchComparison", workspace, first, second],
      queryFn: () => call("compare_batches", { workspace, first, second }),
      staleTime: 0,
      // The host looks at every row: at a pace of its own, not with each event.
      refetchInterval: ({ state: { data } }) =>
        data && (isUnderWay(data.first.batch) || isUnderWay(data.second.batch))
          ? COMPARISON_INTERVAL.underWay
          : data &&
            [data.first.batch, data.second.batch].some(({ endedAt }) => Date.now() - (endedAt ?? 0) < DAY) &&
            COMPARISON_INTERVAL.sent,
    }),

  comparisonPair: (batch: string) =>
    queryOptions({
      queryKey: ["comparisonPair", batch],
      queryFn: () => call("get_comparison_pair", { batch }),
      staleTime: 0,
    }),

  batchReplies: (batch: string) =>
    queryOptions({
      queryKey: ["batchReplies", batch],
      queryFn: () => call("list_batch_replies", { batch }),
      staleTime: 0,
    }),

  batchRows: (batch: string, state: RowState | undefined, group: OutcomeGroup | undefined) =>
    infiniteQueryOptions({
      queryKey: [...keys.batchRows(batch), state ?? "", group ?? ""] as const,
      queryFn: ({ pageParam }) =>
        call("get_batch", { batch, state: state ?? null, group: group ?? null, after: pageParam, limit: PAGE_SIZE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousData,
    }),
};

import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import type { ContactQuery, SendText } from "@/bindings/app";
import { explicitNumber } from "@/lib/explicit-number";
import { call } from "@/lib/ipc/client";
import { keys } from "@/lib/ipc/keys";
import { keepPreviousUnder, PAGE_SIZE } from "@/lib/ipc/lists";

/** Messages in a page of a conversation. */
const MESSAGES = 60;

/** Messages of a search in a page. */
const FOUND = 20;

export interface ReplyTo {
  workspace: string;
  contact: string;
  /** Identifier of our number. */
  number: string;
}

/** A free text in a conversation. */
export const replyRequest = (
  { workspace, contact, number }: ReplyTo,
  text: string,
  overrides: string[] = [],
): SendText => ({
  workspace,
  number,
  to: explicitNumber(contact),
  text,
  previewUrl: false,
  callbackData: "",
  track: true,
  exactCallback: false,
  overrides,
});

export const inboxQueries = {
  contacts: (query: Omit<ContactQuery, "after" | "limit">) =>
    infiniteQueryOptions({
      queryKey: [...keys.contacts(query.workspace), query] as const,
      queryFn: ({ pageParam }) => call("list_contacts", { ...query, after: pageParam, limit: PAGE_SIZE }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.contacts(query.workspace)),
    }),

  foundMessages: (workspace: string, words: string) =>
    infiniteQueryOptions({
      queryKey: [...keys.foundMessages(workspace), words] as const,
      queryFn: ({ pageParam }) =>
        call("list_events", { workspace, kind: "message", search: words, after: pageParam, limit: FOUND }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.foundMessages(workspace)),
    }),

  foundSends: (workspace: string, words: string) =>
    infiniteQueryOptions({
      queryKey: [...keys.foundSends(workspace), words] as const,
      queryFn: ({ pageParam }) =>
        call("find_sent_messages", { workspace, search: words, after: pageParam, limit: FOUND }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.foundSends(workspace)),
    }),

  /** `number` is the one of ours whose conversations are listed. */
  conversation: (workspace: string, contact: string, number: string | undefined) =>
    infiniteQueryOptions({
      queryKey: [...keys.conversation(workspace, contact), number ?? null] as const,
      queryFn: ({ pageParam }) =>
        call("list_conversation", { workspace, contact, number: number ?? null, after: pageParam, limit: MESSAGES }),
      initialPageParam: null as string | null,
      getNextPageParam: (last) => last.next ?? undefined,
      placeholderData: keepPreviousUnder(keys.conversation(workspace, contact)),
    }),

  /** Until when a free text may be sent to a contact from one of our numbers. */
  window: ({ workspace, contact, number }: ReplyTo) =>
    queryOptions({
      queryKey: [...keys.serviceWindow(workspace, contact), number] as const,
      queryFn: () => call("get_service_window", { workspace, to: explicitNumber(contact), number }),
    }),

  /** The most characters of a reply; absent while the host names none. */
  replyLimit: (workspace: string, number: string, contact: string) =>
    queryOptions({
      queryKey: ["replyLimit", workspace, number, contact],
      queryFn: async () =>
        (await call("preview_text", replyRequest({ workspace, number, contact }, ""))).textLimit ?? null,
      staleTime: Number.POSITIVE_INFINITY,
    }),

  media: (workspace: string, event: string) =>
    queryOptions({
      queryKey: ["media", workspace, event],
      // Without the token, because the person has not asked for the file.
      queryFn: () => call("get_media", { workspace, event, withToken: false }),
      // A file never changes.
      staleTime: Number.POSITIVE_INFINITY,
      // What is shown may have many megabytes.
      gcTime: 60_000,
    }),
};

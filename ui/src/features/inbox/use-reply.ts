// A free text from the conversation: checked, shown at once, sent, and replaced by what the host recorded.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ConversationMessage } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { useAskSecondMessage } from "@/components/use-ask-second-message";
import { call } from "@/lib/ipc/client";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { inboxQueries, type ReplyTo, replyRequest } from "./queries";
import { draftOf, formOf, keepDraft } from "./reply-drafts";

/** A reply that the host has not listed yet. */
export interface PendingReply {
  key: number;
  text: string;
  at: number;
  /** The send, once it is recorded. */
  send?: string;
}

const NONE: readonly SendProblem[] = [];
let lastKey = 0;

export function useReply(to: ReplyTo, canReply: boolean, messages: readonly ConversationMessage[]) {
  const { workspace, contact, number } = to;
  const { t } = useTranslation("inbox");
  const askSecondMessage = useAskSecondMessage();
  const [text, setText] = useState(() => draftOf(workspace, contact));
  const [pending, setPending] = useState<readonly PendingReply[]>([]);
  const [problems, setProblems] = useState(NONE);
  const [failure, setFailure] = useState<DeskFailure>();
  const [checking, setChecking] = useState(false);
  const send = useCommand("send_text");
  const limit =
    useQuery({ ...inboxQueries.replyLimit(workspace, number, contact), enabled: canReply }).data ?? undefined;

  const change = (next: string) => {
    keepDraft(workspace, contact, next, number);
    setText(next);
    setProblems(NONE);
    setFailure(undefined);
  };

  const submit = async (overrides: string[] = [], isSecond = false) => {
    const typed = text.trim();
    if (typed === "" || checking) return;
    // Whoever overrides a warning has answered the question before.
    if (!isSecond && overrides.length === 0 && mayHaveBeenSent(typed, messages)) {
      askSecondMessage({ confirm: t("reply.sendSecond"), onConfirm: () => void submit([], true) });
      return;
    }
    const request = replyRequest(to, typed, overrides);
    const key = ++lastKey;
    setFailure(undefined);
    setChecking(true);
    try {
      const found = (await call("preview_text", request)).problems;
      const stopping = found.filter(({ code, severity }) => severity === "error" || !overrides.includes(code));
      setProblems(stopping);
      if (stopping.length > 0) {
        setChecking(false);
        return;
      }
      // What was typed during the check stays.
      const now = draftOf(workspace, contact);
      const rest = now.startsWith(text) ? now.slice(text.length).trimStart() : now;
      change(rest);
      setPending((before) => [...before, { key, text: typed, at: Date.now() }]);
      setChecking(false);
      const { id } = await send.mutateAsync(rest === "" ? { ...request, form: formOf(contact) } : request);
      setPending((before) => before.map((reply) => (reply.key === key ? { ...reply, send: id } : reply)));
    } catch (reason) {
      setPending((before) => before.filter((reply) => reply.key !== key));
      // What could not be sent is not lost, unless something else was typed meanwhile.
      if (draftOf(workspace, contact) === "") change(typed);
      setFailure(toFailure(reason));
      setChecking(false);
    }
  };

  return { text, limit, change, submit, pending, problems, failure, checking };
}

/** Whether one of `messages` has this text and nobody knows whether it was sent. */
const mayHaveBeenSent = (text: string, messages: readonly ConversationMessage[]) =>
  messages.some(
    ({ outgoing, kind, state, text: sent }) =>
      outgoing && kind === "text" && state === "unknown" && sent.trim() === text,
  );

/** The replies that are not among `messages` yet. */
export function stillPending(
  pending: readonly PendingReply[],
  messages: readonly ConversationMessage[],
): readonly PendingReply[] {
  if (pending.length === 0) return pending;
  const listed = new Set(messages.map(({ send }) => send));
  return pending.filter(({ send }) => send === undefined || !listed.has(send));
}

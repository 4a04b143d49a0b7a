// Unsent replies by conversation, with the number of ours that they are to leave from.

import { dropForm, keepForm, unfinishedForm } from "@/lib/unfinished-forms";

interface ReplyDraft {
  text: string;
  /** Absent in drafts of older versions. */
  number?: string;
}

/** The unfinished form of a reply. */
export const formOf = (contact: string) => `reply ${contact}`;

const stored = (workspace: string, contact: string) => unfinishedForm<ReplyDraft>(workspace, formOf(contact));

export function draftOf(workspace: string, contact: string): string {
  return stored(workspace, contact)?.text ?? "";
}

/** The number that a draft is to leave from. */
export function numberOfDraft(workspace: string, contact: string): string | undefined {
  return stored(workspace, contact)?.number || undefined;
}

export function keepDraft(workspace: string, contact: string, text: string, number: string): void {
  if (text === "") dropForm(workspace, formOf(contact));
  else keepForm(workspace, formOf(contact), { text, number });
}

/** Keeps a draft with a contact who has another identifier now, unless one was begun there. */
export function moveDraft(workspace: string, from: string, to: string): void {
  const text = draftOf(workspace, from);
  const number = numberOfDraft(workspace, from) ?? "";
  if (draftOf(workspace, to) === "") keepDraft(workspace, to, text, number);
  dropForm(workspace, formOf(from));
}

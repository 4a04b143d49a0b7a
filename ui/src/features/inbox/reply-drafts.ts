// Unsent replies by conversation.

import { dropForm, keepForm, unfinishedForm } from "@/lib/unfinished-forms";

const formOf = (contact: string) => `reply ${contact}`;

export function draftOf(workspace: string, contact: string): string {
  return unfinishedForm<{ text: string }>(workspace, formOf(contact))?.text ?? "";
}

export function keepDraft(workspace: string, contact: string, text: string): void {
  if (text === "") dropForm(workspace, formOf(contact));
  else keepForm(workspace, formOf(contact), { text });
}

/** Keeps a draft with a contact who has another identifier now, unless one was begun there. */
export function moveDraft(workspace: string, from: string, to: string): void {
  const text = draftOf(workspace, from);
  if (draftOf(workspace, to) === "") keepDraft(workspace, to, text);
  keepDraft(workspace, from, "");
}

// Unsent replies by conversation. They are kept until the window closes, so that a look at another one loses nothing.

const drafts = new Map<string, string>();

const keyOf = (workspace: string, contact: string) => `${workspace} ${contact}`;

export function draftOf(workspace: string, contact: string): string {
  return drafts.get(keyOf(workspace, contact)) ?? "";
}

export function keepDraft(workspace: string, contact: string, text: string): void {
  if (text === "") drafts.delete(keyOf(workspace, contact));
  else drafts.set(keyOf(workspace, contact), text);
}

/** What a person typed into the form of a send. */
export interface TypedSend {
  number: string;
  to: string;
  values: Record<string, string>;
  callbackData: string;
  track: boolean;
}

// By workspace and template, as long as the window lives: a look at Settings must not cost what was typed.
const typed = new Map<string, TypedSend>();

const key = (workspace: string, reference: string) => `${workspace} ${reference}`;

export function recallTyped(workspace: string, reference: string): TypedSend | undefined {
  return typed.get(key(workspace, reference));
}

export function rememberTyped(workspace: string, reference: string, send: TypedSend): void {
  typed.set(key(workspace, reference), send);
}

// The rules of `model`, from the rules server that `rules-server.ts` starts: the fake host has none of its own.

import type {
  CheckRecipient,
  Draft,
  FindTemplates,
  FoundTemplates,
  Inspection,
  InspectTemplate,
  RecipientCheck,
  RewriteTemplate,
  SendForm,
  SendPreview,
  SendRequest,
  SendText,
  Starter,
  TemplateText,
  WorkspaceSettings,
} from "@/bindings/app";
import type { Bubble, Change, ColumnGuess, Finding, Line, SendPart, Template } from "@/bindings/model";

/** Posts `body` to `/name` of the rules server. */
export type Post = (name: string, body: string) => Promise<{ status: number; body: string }>;

// In a browser, Vite forwards `/rules` to the server.
let post: Post = async (name, body) => {
  const response = await fetch(`/rules/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
  });
  return { status: response.status, body: await response.text() };
};

/** Replaces the transport to the rules server. */
export function setPost(next: Post): void {
  post = next;
}

const failures: Error[] = [];

/** Failed requests to the rules server since the last call. */
export function takeFailures(): Error[] {
  return failures.splice(0);
}

async function ask<T>(name: string, request: unknown): Promise<T> {
  const { status, body } = await post(name, JSON.stringify(request)).catch((error) => {
    throw failed(new Error(`The rules server did not answer ${name}: ${error}`));
  });
  if (status === 200) return JSON.parse(body);
  // The error of a command, as the host rejects with it.
  if (status === 409) throw JSON.parse(body);
  throw failed(new Error(`The rules server answered ${name} with ${status}: ${body}`));
}

function failed(error: Error): Error {
  failures.push(error);
  return error;
}

export const inspect = (request: InspectTemplate) => ask<Inspection>("inspect_template", request);
export const readTemplate = (text: string) => ask<TemplateText>("read_template", { text });
export const findTemplates = (request: FindTemplates) => ask<FoundTemplates>("find_templates", request);
export const rewriteTemplate = (request: RewriteTemplate) => ask<Template>("rewrite_template", request);

/** The findings for a draft with its files. */
export const draftFindings = (draft: Draft) => ask<Finding[]>("draft_findings", draft);

/** The findings that the page of a template shows. */
export const existingFindings = (template: Template) => ask<Finding[]>("existing_findings", template);

/** The bubble of a template with its samples. */
export const render = (template: Template) => ask<Bubble>("render", template);

/** A send of a template, as far as it is filled in. */
export interface Send {
  settings: WorkspaceSettings;
  template: Template;
  status: string;
  archived: boolean;
  wabas: string[];
  request: SendRequest;
}

export const sendForm = (send: Send) =>
  ask<Pick<SendForm, "blocked" | "parts" | "numbers" | "number">>("send_form", send);
export const previewSend = (send: Send) => ask<SendPreview>("preview_send", send);

/** Which columns of a file fit the recipient and the parts of a form. */
export const guessColumns = (file: { columns: string[]; numberColumns: string[]; parts: SendPart[] }) =>
  ask<ColumnGuess>("guess_columns", file);

/** The preview of a text, without the problems of its reply window. */
export const previewText = (text: { settings: WorkspaceSettings; request: SendText }) =>
  ask<SendPreview>("preview_text", text);

/** What a number for the address book is read as. */
export const checkRecipient = (number: { settings: WorkspaceSettings; request: CheckRecipient }) =>
  ask<RecipientCheck>("check_recipient", number);

export const compare = (before: Template, after: Template) => ask<Change[]>("changes", { before, after });

/** The differences of two JSON texts, line by line. */
export const compareJson = (before: string, after: string) => ask<Line[]>("json_lines", { before, after });

/** The causes of a rejection, from the channel's word for the reason and the advice of the review. */
export const rejectionGuidance = (template: Template, reason?: string | null, recommendation?: string | null) =>
  ask<Finding[]>("guidance", { template, reason, info: { recommendation } });

/** All starter templates. */
export const starters = () => ask<Starter[]>("list_starters", {});

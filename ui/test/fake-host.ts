// A host in the page's own memory: screens can be tested, and looked at in a plain browser, without the shell.

import type { Bootstrap, DeskError, DeskEvent, Draft, Preferences, TemplateDetail, Workspace } from "@/bindings/app";
import type { Commands } from "@/bindings/ipc";
import type { Component, Template } from "@/bindings/model";
import type { CommandName, FileDrop, Host, RequestOf, ResponseOf } from "@/lib/ipc/host";
import { activityHandlers } from "./fake-activity";
import { ADVICE, countBy, fakeVersions, listTemplates, rejectionGuidance, THUMBNAIL, workspace } from "./fake-answers";
import { keyringHandlers, keyringState } from "./fake-keyring";
import { bodyChanges, bubbleOf, fixBody, inspect } from "./fake-render";
import { storageHandlers } from "./fake-storage";
import { fakeTemplates, MESSAGES, NOW, SENDS } from "./fixtures";

export type Handlers = {
  [C in CommandName]: (request: RequestOf<C>) => ResponseOf<C> | Promise<ResponseOf<C>>;
};

export interface FakeHost extends Host {
  emit(event: DeskEvent): void;
  drop(drop: FileDrop): void;
  /** Answers `name` differently from now on. */
  answer<C extends CommandName>(name: C, handler: Handlers[C]): void;
  /** Every call so far, oldest first. */
  calls: { name: CommandName; request: Commands[CommandName]["request"] }[];
}

export function createFakeHost({ templates: count = 400 } = {}): FakeHost {
  const listeners = new Set<(event: DeskEvent) => void>();
  const dropListeners = new Set<(drop: FileDrop) => void>();
  const calls: FakeHost["calls"] = [];
  const handlers = createHandlers(count, (event) => {
    for (const listener of listeners) listener(event);
  });
  return {
    calls,
    async call(name, request) {
      calls.push({ name, request });
      return handlers[name](request);
    },
    subscribe(onEvent) {
      listeners.add(onEvent);
      return () => listeners.delete(onEvent);
    },
    onFileDrop(onDrop) {
      dropListeners.add(onDrop);
      return () => dropListeners.delete(onDrop);
    },
    emit(event) {
      for (const listener of listeners) listener(event);
    },
    drop(drop) {
      for (const listener of dropListeners) listener(drop);
    },
    answer(name, handler) {
      handlers[name] = handler;
    },
  };
}

/** A refusal as a command rejects with it. */
export function refusal(error: DeskError): never {
  throw error;
}

function createHandlers(count: number, emit: (event: DeskEvent) => void): Handlers {
  const templates = fakeTemplates(count);
  const drafts = new Map<string, Draft>();
  const chosen = new URLSearchParams(globalThis.location?.search ?? "");
  let preferences: Preferences = {
    workspace: "sandbox",
    persona: "marketing",
    colorScheme: (chosen.get("scheme") as Preferences["colorScheme"] | null) ?? "system",
    language: chosen.get("language") ?? "en",
    notify: true,
  };
  const { state: keyring } = keyringState(chosen);
  const workspaces: Workspace[] = [
    workspace("sandbox", "Sandbox", true, keyring),
    workspace("acme", "Acme Retail", false, keyring),
  ];
  let sandbox = { review: "auto", reviewDelayMs: 2000, statusDelayMs: 800 };
  let next = 1;

  const find = (reference: string) =>
    templates.find(({ row }) => row.reference === reference) ??
    refusal({ code: "notFound", what: `Template ${reference}` });
  const draftOf = (id: string) => drafts.get(id) ?? refusal({ code: "notFound", what: `Draft ${id}` });
  const workspaceOf = (id: string) =>
    workspaces.find((entry) => entry.id === id) ?? refusal({ code: "notFound", what: `Workspace ${id}` });
  const newDraft = (template: Template, extra: Partial<Draft> = {}): Draft => {
    const draft: Draft = {
      id: `draft-${next++}`,
      workspace: "sandbox",
      template,
      wabaIds: ["102290129340398"],
      headerFile: null,
      cardFiles: [],
      edits: null,
      updatedAt: NOW,
      ...extra,
    };
    drafts.set(draft.id, draft);
    return draft;
  };
  const first = templates[0]?.template;
  if (first) newDraft({ ...structuredClone(first), name: "summer_sale_follow_up" });

  // One that edits a template of the chosen status, to be looked at.
  const edited = templates.find(({ row }) => row.status === chosen.get("edit"));
  if (edited) newDraft(structuredClone(edited.template), { edits: edited.row.reference });

  const setArchived = (reference: string, archived: boolean) => {
    find(reference).row.archived = archived;
    return {};
  };

  return {
    get_bootstrap: (): Bootstrap => ({
      version: "0.1.0",
      dataFolder: "/home/ana/.local/share/template-desk",
      workspaces: workspaces.map(({ id, sandbox, settings }) => ({
        id,
        name: settings.name,
        sandbox,
        hasCredentials: sandbox || chosen.get("credentials") !== "none",
        credentials: sandbox || chosen.get("credentials") !== "none" ? ("keyring" as const) : ("absent" as const),
      })),
      preferences,
      keyring: keyringState(chosen),
      receiver:
        chosen.get("receiver") === "failed"
          ? {
              state: "failed",
              address: "127.0.0.1:8787",
              reason: "address already in use",
              suggestion: "127.0.0.1:8788",
            }
          : { state: "listening", address: "127.0.0.1:8787" },
      notices: [],
    }),
    save_preferences: (request) => {
      preferences = request;
      return request;
    },
    open_link: () => ({}),
    get_workspace: ({ workspace: id }) => {
      const found = workspaceOf(id);
      // An unlocked keyring is read anew.
      return { ...found, secrets: workspace(id, "", found.sandbox, keyringState(chosen).state).secrets };
    },
    save_workspace: ({ workspace: id, settings }) => {
      const saved = id
        ? workspaceOf(id)
        : workspace(`workspace-${next++}`, settings.name, false, keyringState(chosen).state);
      saved.settings = settings;
      if (!id) workspaces.push(saved);
      emit({ type: "workspacesChanged" });
      return saved;
    },
    delete_workspace: ({ workspace: id }) => {
      workspaces.splice(workspaces.indexOf(workspaceOf(id)), 1);
      return {};
    },
    test_connection: () => ({
      steps: [
        { name: "address", ok: true },
        { name: "reach", ok: true },
        {
          name: "credentials",
          ok: false,
          error: {
            code: "unauthorized",
            message: "Authentication required",
            details: "Supply a Bearer Token or client credentials in x-client-id / x-client-secret.",
          },
        },
      ],
    }),

    list_templates: (query) =>
      listTemplates(
        templates.map(({ row }) => row),
        query,
      ),
    get_template: ({ reference }): TemplateDetail => {
      const { row, template } = find(reference);
      return {
        row,
        template,
        raw: JSON.stringify({ uuid: row.reference, id: "1187231209381209", status: row.status, ...template }),
        bubble: bubbleOf(template.components),
        guidance: row.status === "REJECTED" ? rejectionGuidance(template) : [],
        findings: inspect(template).findings,
        history: [
          { at: row.updatedAt, origin: "event", what: row.status, detail: row.rejectedReason ?? null },
          {
            at: row.updatedAt - 3_600_000,
            origin: "observed",
            what: "category",
            before: "UTILITY",
            detail: row.category,
          },
          { at: row.updatedAt - 7_200_000, origin: "event", what: "PENDING" },
          { at: row.updatedAt - 7_260_000, origin: "submitted", what: "PENDING" },
        ],
        languages: templates
          .filter((other) => other.row.name === row.name && other.row !== row)
          .map((other) => other.row),
        sendable: row.status === "APPROVED" && !row.archived,
        editable: ["APPROVED", "REJECTED", "PAUSED"].includes(row.status),
        rejectionAdvice: row.rejectedReason ? ADVICE : null,
        asOf: NOW,
      };
    },
    refresh_templates: ({ workspace: id }) => {
      if (chosen.get("network") === "none") {
        const error: DeskError = { code: "offline", reason: "connection refused" };
        emit({ type: "syncFailed", workspace: id, error });
        refusal(error);
      }
      emit({ type: "syncFinished", workspace: id });
      return { total: templates.length, changes: 0, unreadable: 0, at: NOW };
    },
    archive_template: ({ reference }) => setArchived(reference, true),
    unarchive_template: ({ reference }) => setArchived(reference, false),
    delete_template: ({ reference, confirmedName }) => {
      const found = find(reference);
      if (found.row.name !== confirmedName)
        refusal({ code: "invalidInput", field: "confirmedName", message: "The name differs." });
      templates.splice(templates.indexOf(found), 1);
      return {};
    },
    get_review_board: () => ({
      columns: ["PENDING", "APPROVED", "REJECTED", "PAUSED", "DISABLED", "ARCHIVED"].map((status) => {
        const rows = templates
          .map(({ row }) => row)
          .filter((row) => (status === "ARCHIVED" ? row.archived : !row.archived && row.status === status));
        return { status, count: rows.length, rows: rows.slice(0, 50) };
      }),
    }),
    list_languages: () => [
      { code: "ar", name: "Arabic" },
      { code: "de", name: "German" },
      { code: "en_GB", name: "English (UK)" },
      { code: "en_US", name: "English (US)" },
      { code: "es", name: "Spanish" },
      { code: "es_MX", name: "Spanish (Mexico)" },
      { code: "fr", name: "French" },
      { code: "pt_BR", name: "Portuguese (Brazil)" },
    ],

    list_drafts: () =>
      [...drafts.values()].map(({ id, template, edits, updatedAt }) => ({
        id,
        name: template.name,
        language: template.language,
        excerpt: template.components.flatMap((part) => (part.type === "BODY" ? [part.text ?? ""] : []))[0] ?? "",
        edits: edits ?? null,
        updatedAt,
      })),
    create_draft: ({ fromTemplate, fromDraft, fromJson, fromVersion, language, edit }) => {
      if (fromJson) {
        const { waba_ids: wabaIds = [], ...template } = JSON.parse(fromJson);
        return newDraft(template, { wabaIds: wabaIds.map(String) });
      }
      if (fromDraft) return newDraft(structuredClone(draftOf(fromDraft).template));
      if (fromTemplate)
        return newDraft(
          {
            ...structuredClone(
              fakeVersions(find(fromTemplate)).find(({ id }) => id === fromVersion)?.template ??
                find(fromTemplate).template,
            ),
            ...(language && !edit ? { language } : {}),
          },
          { edits: edit ? fromTemplate : null },
        );
      return newDraft({
        name: "",
        language: "en_US",
        category: "marketing",
        components: [{ type: "BODY", text: "" }] as Component[],
      } as Template);
    },
    get_draft: ({ draft }) => structuredClone(draftOf(draft)),
    save_draft: (draft) => {
      const saved = { ...structuredClone(draft), updatedAt: Date.now() };
      drafts.set(draft.id, saved);
      emit({ type: "draftSaved", workspace: draft.workspace, id: draft.id });
      return saved;
    },
    delete_draft: ({ draft }) => {
      drafts.delete(draft);
      return {};
    },
    inspect_template: ({ template }) => inspect(template),
    read_template: ({ text }) => {
      try {
        const { waba_ids: wabaIds = [], ...template } = JSON.parse(text);
        return { template, wabaIds: wabaIds.map(String), fault: null };
      } catch (error) {
        const [before = ""] = text.split(/[?;]/);
        const lines = before.split("\n");
        const column = (lines.at(-1)?.length ?? 0) + 1;
        return { template: null, wabaIds: [], fault: { line: lines.length, column, message: String(error) } };
      }
    },
    rewrite_template: ({ template, rewrite }) => {
      if (rewrite.kind !== "fix") return template;
      return (
        fixBody(template, rewrite.code) ??
        refusal({ code: "invalidInput", field: "code", message: "No rule corrects this by itself." })
      );
    },
    import_template: () => null,
    list_recent_files: () => [
      { path: "/home/ana/summer.jpg", name: "summer.jpg", size: 182_344, mime: "image/jpeg", thumbnail: THUMBNAIL },
    ],
    get_edit_context: ({ draft }) => {
      const { edits } = draftOf(draft);
      const { row, template } = find(
        edits ?? refusal({ code: "invalidInput", field: "draft", message: "A new template." }),
      );
      return {
        reference: row.reference,
        status: row.status,
        archived: row.archived,
        original: template,
        wabaIds: row.wabas,
        editable: ["APPROVED", "REJECTED", "PAUSED"].includes(row.status),
        locks: [
          { field: "name", reason: "immutable" },
          { field: "language", reason: "immutable" },
          { field: "wabaIds", reason: "immutable" },
          ...(row.status === "APPROVED" ? [{ field: "category", reason: "approved" } as const] : []),
        ],
        quota: row.status === "APPROVED" ? { usedDay: 0, perDay: 1, usedMonth: 2, perMonth: 10, nextAt: null } : null,
        rejectedReason: row.rejectedReason,
        guidance: row.status === "REJECTED" ? rejectionGuidance(template) : [],
      };
    },
    list_versions: ({ reference }) => fakeVersions(find(reference)),
    cancel_submission: () => ({}),
    pick_file: () => ({
      path: "/home/ana/summer.jpg",
      name: "summer.jpg",
      size: 182_344,
      mime: "image/jpeg",
      thumbnail: THUMBNAIL,
    }),
    inspect_file: ({ path }) => ({
      path,
      name: path.split("/").at(-1) ?? path,
      size: 91_000,
      mime: "image/png",
      thumbnail: THUMBNAIL,
    }),
    plan_submission: ({ draft }) => {
      const { template, wabaIds, headerFile, edits } = draftOf(draft);
      const original = edits ? find(edits).template : undefined;
      const url = "https://provider.example/messaging/provider/workspace-templates";
      return {
        findings: inspect(template).findings,
        changes: original ? bodyChanges(original, template) : [],
        before: original ? bubbleOf(original.components) : null,
        after: bubbleOf(template.components),
        requests: headerFile
          ? wabaIds.map((waba) => ({
              wabaIds: [waba],
              method: "POST",
              url,
              json: null,
              parts: [
                { name: "waba_ids", value: waba },
                { name: "name", value: template.name },
                { name: "components", value: JSON.stringify(template.components) },
                { name: "header_file", fileName: headerFile.name, size: headerFile.size },
              ],
              curl: `curl -X POST ${url} -H "Authorization: Bearer $TOKEN" -F waba_ids=${waba} -F header_file=@${headerFile.name}`,
            }))
          : [
              {
                wabaIds,
                method: "POST",
                url,
                json: JSON.stringify({ waba_ids: wabaIds, ...template }),
                parts: [],
                curl: `curl -X POST ${url} -H "Authorization: Bearer $TOKEN" -d @body.json`,
              },
            ],
      };
    },
    submit_draft: ({ draft }) => {
      const { wabaIds } = draftOf(draft);
      if (chosen.get("submit") === "refused") {
        return {
          complete: false,
          reference: null,
          steps: [
            {
              wabaIds,
              outcome: {
                state: "refused",
                findings: [
                  {
                    code: "provider",
                    severity: "error",
                    path: "/name",
                    message: "The name is being used by a template in deletion.",
                    values: { code: "2388023" },
                    source: "service-spec §7",
                    fixable: false,
                  },
                ],
                error: {
                  code: "service",
                  status: 400,
                  errorCode: "2388023",
                  message: "Invalid parameter",
                  details: "The name is being used by a template in deletion.",
                  field: "name",
                  body: '{"message":"Invalid parameter","details":"The name is being used by a template in deletion.","field":"name"}',
                },
              },
            },
          ],
        };
      }
      drafts.delete(draft);
      const reference = templates[1]?.row.reference ?? null;
      return { complete: true, reference, steps: [{ wabaIds, outcome: { state: "accepted", reference } }] };
    },

    get_send_form: ({ reference }) => {
      const { row } = find(reference);
      return {
        name: row.name,
        language: row.language,
        blocked: row.status === "APPROVED" ? null : `The template is ${row.status}.`,
        parts: [
          {
            id: "header.link",
            kind: "link",
            section: "header",
            label: "IMAGE",
            required: true,
            sample: "https://shop.example/summer.jpg",
          },
          { id: "body.1", kind: "text", section: "body", label: "1", required: true, sample: "Maria" },
          { id: "body.2", kind: "text", section: "body", label: "2", required: true, sample: "40%" },
          {
            id: "button.0.url",
            kind: "suffix",
            section: "button",
            label: "Shop the sale",
            required: true,
            sample: "a1",
          },
          {
            id: "button.1.payload",
            kind: "payload",
            section: "button",
            label: "Remind me later",
            required: false,
            sample: "",
          },
        ],
        numbers: [{ id: "108001", label: "Main number" }],
        recentRecipients: ["5511990001111", "447700900123"],
      };
    },
    preview_send: (request) => ({
      payload: JSON.stringify({
        messaging_product: "messaging",
        to: request.to,
        type: "template",
        template: { name: find(request.reference).row.name },
      }),
      bubble: bubbleOf(find(request.reference).template.components),
      problems: request.to === "" ? [{ field: "to", message: "Enter the recipient: digits with country code." }] : [],
    }),
    send_template: (request) => {
      const { row } = find(request.reference);
      const sent = {
        id: `send-${SENDS.length + 1}`,
        number: request.number,
        recipient: request.to,
        templateName: row.name,
        language: row.language,
        state: "accepted",
        createdAt: Date.now(),
      };
      SENDS.unshift(sent);
      return sent;
    },
    list_sends: () => ({ rows: [...SENDS] }),
    get_send: ({ send }) => {
      const row = SENDS.find(({ id }) => id === send) ?? refusal({ code: "notFound", what: `Send ${send}` });
      const failed = row.state === "failed";
      return {
        row,
        payload: JSON.stringify({
          messaging_product: "messaging",
          to: row.recipient,
          type: "template",
          template: { name: row.templateName, language: { code: row.language } },
        }),
        response: JSON.stringify({ messages: [{ id: "wamid.HBgM" }] }),
        responseStatus: 200,
        messageId: "wamid.HBgM",
        timeline: (failed ? ["sent", "failed"] : ["sent", "delivered", "read"]).map((status, index) => ({
          status,
          at: row.createdAt + index * 1500,
          error: status === "failed" ? '{"code":131053,"title":"Media upload error","retryable":false}' : null,
          explanation: status === "failed" ? "The image is larger than 5 MB. Use a smaller one." : null,
        })),
      };
    },

    ...activityHandlers(emit, chosen),
    ...storageHandlers(emit, chosen),
    ...keyringHandlers(emit, chosen),
    set_receiver: ({ address }) => ({ state: "listening", address }),
    list_contacts: () => [
      {
        contact: "5511990001111",
        name: "Maria Souza",
        excerpt: "Is it also available in blue? 💙",
        lastAt: NOW - 240_000,
        unread: 2,
      },
      { contact: "447700900123", name: "", excerpt: "[image]", lastAt: NOW - 86_400_000, unread: 0 },
    ],
    list_conversation: () => ({ messages: MESSAGES }),
    get_insights: () => ({
      templates: countBy(templates.map(({ row }) => row.status)),
      statuses: [
        { value: "sent", count: 1840 },
        { value: "delivered", count: 1712 },
        { value: "read", count: 1203 },
        { value: "failed", count: 41 },
      ],
      kinds: [
        { value: "status", count: 4796 },
        { value: "message", count: 322 },
        { value: "template_status", count: 61 },
      ],
      days: Array.from({ length: 14 }, (_, day) => ({
        day: new Date(NOW - (13 - day) * 86_400_000).toISOString().slice(0, 10),
        statuses: [
          { value: "sent", count: 90 + ((day * 37) % 80) },
          { value: "delivered", count: 80 + ((day * 31) % 70) },
          { value: "read", count: 50 + ((day * 23) % 60) },
          { value: "failed", count: (day * 3) % 8 },
        ],
      })),
    }),

    get_sandbox_settings: () => sandbox,
    save_sandbox_settings: (request) => {
      sandbox = request;
      return request;
    },
    decide_review: ({ reference, event }) => {
      find(reference).row.status = event;
      return {};
    },
    list_phones: () => [{ recipient: "5511990001111", messages: 3, lastAt: NOW - 240_000 }],
    list_phone_messages: () => [
      {
        id: "p1",
        fromPhone: false,
        at: NOW - 3_600_000,
        bubble: first ? bubbleOf(first.components) : null,
        text: null,
      },
      { id: "p2", fromPhone: true, at: NOW - 3_500_000, bubble: null, text: "Remind me later" },
    ],
    tap_button: () => ({}),
    type_text: () => ({}),
  };
}

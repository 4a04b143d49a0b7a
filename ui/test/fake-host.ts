// A host in memory, to test screens and open them in a browser without the shell. Rules come from the rules server.

import type {
  Bootstrap,
  DeskError,
  DeskEvent,
  Draft,
  Preferences,
  TemplateDetail,
  UnfinishedForm,
  Workspace,
} from "@/bindings/app";
import type { Commands } from "@/bindings/ipc";
import type { Component, Template } from "@/bindings/model";
import type { CommandName, FileDrop, Host, RequestOf, ResponseOf } from "@/lib/ipc/host";
import { activityHandlers } from "./fake-activity";
import { ADVICE, earlierContent, fakeVersions, THUMBNAIL, workspace } from "./fake-answers";
import { batchHandlers } from "./fake-batches";
import { bulkActionHandlers } from "./fake-bulk-actions";
import { comparisonHandlers } from "./fake-comparison";
import { attentionOf, endpointHandlers } from "./fake-endpoints";
import { feedHandlers } from "./fake-feeds";
import { historyHandlers } from "./fake-history";
import { importHandlers } from "./fake-import";
import { inboxHandlers } from "./fake-inbox";
import { insightsHandlers } from "./fake-insights";
import { keyringHandlers, keyringState } from "./fake-keyring";
import { listHandlers, RISK_UNTIL } from "./fake-lists";
import { optOutHandlers } from "./fake-opt-outs";
import { phoneHandlers } from "./fake-phone";
import { recipientFileHandlers } from "./fake-recipient-files";
import { reviewHandlers } from "./fake-review";
import { sendHandlers } from "./fake-sends";
import { storageHandlers } from "./fake-storage";
import { submissionHandlers } from "./fake-submission";
import { supportHandlers } from "./fake-support";
import { updateHandlers } from "./fake-updates";
import { type FakeTemplate, fakeTemplates, NOW } from "./fixtures";
import * as rules from "./rules";

export type Handlers = {
  [C in CommandName]: (request: RequestOf<C>) => ResponseOf<C> | Promise<ResponseOf<C>>;
};

export interface FakeHost extends Host {
  emit(event: DeskEvent): void;
  drop(drop: FileDrop): void;
  /** Replaces the handler of a command. */
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

/** Rejects a command with `error`. */
export function refusal(error: DeskError): never {
  throw error;
}

const guidanceOf = async ({ row, template }: FakeTemplate) =>
  row.status === "REJECTED" ? rules.rejectionGuidance(template, row.rejectedReason, row.rejectedReason && ADVICE) : [];

function createHandlers(count: number, emit: (event: DeskEvent) => void): Handlers {
  const templates = fakeTemplates(count);
  const drafts = new Map<string, Draft>();
  const chosen = new URLSearchParams(globalThis.location?.search ?? "");
  let preferences: Preferences = {
    workspace: "sandbox",
    colorScheme: (chosen.get("scheme") as Preferences["colorScheme"] | null) ?? "system",
    language: chosen.get("language") ?? "en",
    notify: true,
    notifications: {
      reviews: true,
      pauses: true,
      categories: true,
      quality: true,
      webhooks: true,
      tokens: true,
      messages: true,
      accounts: true,
    },
    workspaceNotifications: {},
    keepRunning: false,
    tray: true,
    firstSteps: true,
    density: "comfortable",
    contrast: "system",
    textScale: 100,
    shortcuts: {},
    tourStartedAt: null,
    publicAddress: "",
  };
  const { state: keyring } = keyringState(chosen);
  const workspaces: Workspace[] = [
    workspace("sandbox", "Sandbox", true, keyring),
    workspace("acme", "Acme Retail", false, keyring),
  ];
  const unfinished = new Map<string, UnfinishedForm>();
  const optOuts = optOutHandlers();
  let next = 1;

  const find = (reference: string) =>
    templates.find(({ row }) => row.reference === reference) ??
    refusal({ code: "notFound", what: `Template ${reference}` });
  const draftOf = (id: string) => drafts.get(id) ?? refusal({ code: "notFound", what: `Draft ${id}` });
  const workspaceOf = (id: string) =>
    workspaces.find((entry) => entry.id === id) ?? refusal({ code: "notFound", what: `Workspace ${id}` });
  const sending = sendHandlers(find, workspaceOf);
  const batches = batchHandlers(emit, workspaceOf, sending);
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
  const draftRows = () =>
    [...drafts.values()].map(({ id, template, edits, wabaIds, updatedAt }) => ({
      id,
      name: template.name,
      language: template.language,
      excerpt: template.components.flatMap((part) => (part.type === "BODY" ? [part.text ?? ""] : []))[0] ?? "",
      edits: edits ?? null,
      wabaIds,
      isUnknown: false,
      updatedAt,
    }));

  const first = templates[0]?.template;
  if (first) newDraft({ ...structuredClone(first), name: "summer_sale_follow_up" });

  // A draft that edits a template of the status in the page's address.
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
      logFolder: "/home/ana/.local/share/template-desk/logs",
      workspaces: workspaces.map(({ id, sandbox, settings }) => ({
        id,
        name: settings.name,
        sandbox,
        hasCredentials: sandbox || chosen.get("credentials") !== "none",
        credentials: sandbox || chosen.get("credentials") !== "none" ? ("keyring" as const) : ("absent" as const),
        ...attentionOf(sandbox, settings.tokenExpiresOn, chosen),
        connection: { state: "working", at: NOW, error: null },
        webhooks: { state: "working", at: NOW, reason: null },
        clockOffset: 0,
        clockDifference: 0,
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
      lastStop: chosen.get("crash") === "app" ? "unclean" : "clean",
      notices: [],
      channelDays: { archived: 28, unusedMonths: 12, blockedName: 30 },
    }),
    save_preferences: (request) => {
      preferences = request;
      return request;
    },
    set_window_language: () => ({}),
    get_presence: () => ({ tray: true, canNotify: true, secondStart: true, startsAtLogin: false }),
    set_login_start: ({ on }) => ({ tray: true, canNotify: true, secondStart: true, startsAtLogin: on }),
    answer_close: () => ({}),
    list_unfinished_forms: () => [...unfinished.values()],
    save_unfinished_form: ({ workspace, form, content }) => {
      if (content == null) unfinished.delete(`${workspace} ${form}`);
      else unfinished.set(`${workspace} ${form}`, { workspace, form, content });
      return {};
    },
    open_link: () => ({}),
    get_workspace: ({ workspace: id }) => {
      const found = workspaceOf(id);
      // The state of the keyring may have changed.
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
    get_workspace_contents: () => ({
      drafts: 2,
      sends: 497,
      batches: 3,
      recipients: 1,
      savedReplies: 0,
      hasRateCard: true,
    }),
    check_workspace: () => [],
    test_connection: () => ({
      warnings: [],
      steps: [
        { name: "address", ok: true, more: false },
        { name: "reach", ok: true, more: false },
        {
          name: "credentials",
          ok: false,
          more: false,
          error: {
            code: "unauthorized",
            message: "Authentication required",
            details: "Supply a Bearer Token or client credentials in x-client-id / x-client-secret.",
          },
        },
      ],
    }),

    get_template: async ({ reference }): Promise<TemplateDetail> => {
      const found = find(reference);
      const { row, template } = found;
      return {
        row,
        template,
        raw: JSON.stringify({ uuid: row.reference, id: "1187231209381209", status: row.status, ...template }),
        bubble: await rules.render(template),
        guidance: await guidanceOf(found),
        findings: await rules.existingFindings(template),
        languages: templates
          .filter((other) => other.row.name === row.name && other.row !== row)
          .map((other) => other.row),
        sendable: row.status === "APPROVED" && !row.archived,
        editable: ["APPROVED", "REJECTED", "PAUSED"].includes(row.status),
        rejectionAdvice: row.rejectedReason ? ADVICE : null,
        asOf: NOW,
        wabaStatuses: [],
        accounts: [],
        riskUntil: RISK_UNTIL,
      };
    },
    refresh_templates: ({ workspace: id, status, category, waba, businessId, search }) => {
      if (chosen.get("network") === "none") {
        const error: DeskError = { code: "offline", reason: "connection refused" };
        emit({ type: "syncFailed", workspace: id, error });
        refusal(error);
      }
      emit({ type: "syncProgress", workspace: id, pages: 1, templates: templates.length, total: templates.length });
      emit({ type: "syncFinished", workspace: id });
      const partial = [status, category, waba, businessId, search].some((filter) => filter != null);
      const report = { total: templates.length, changes: 0, unreadable: 0, at: NOW, pages: 1 };
      return { ...report, partial, cancelled: false, missing: 0, skipped: 0, kept: 0 };
    },
    export_templates: ({ workspace: id, target }) => ({
      folder: `/home/ana/templates/${id}`,
      files: target.kind === "references" ? target.references.length : templates.length,
      media: 2,
      problems: [{ name: "flash_offer", language: "de", reason: "The sample of the header cannot be downloaded." }],
    }),
    archive_template: ({ reference }) => setArchived(reference, true),
    unarchive_template: ({ reference }) => setArchived(reference, false),
    delete_template: ({ reference, confirmedName }) => {
      const found = find(reference);
      if (found.row.name !== confirmedName)
        refusal({ code: "invalidInput", field: "confirmedName", message: "The name differs." });
      templates.splice(templates.indexOf(found), 1);
      return {};
    },
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

    get_first_steps: () => ({ submitted: false, sent: false }),
    list_drafts: draftRows,
    list_starters: rules.starters,
    create_draft: async ({ fromStarter, fromTemplate, fromDraft, fromVersion, language, edit, wabaIds }) => {
      const accounts = wabaIds?.length ? { wabaIds } : {};
      if (fromStarter) {
        const starters = (await rules.starters()).filter(({ name }) => name === fromStarter);
        const starter = starters.find(({ template }) => template.language === language) ?? starters[0];
        return newDraft(starter?.template ?? refusal({ code: "notFound", what: "The starter" }), accounts);
      }
      if (fromDraft) return newDraft(structuredClone(draftOf(fromDraft).template));
      if (fromTemplate)
        return newDraft(
          {
            ...structuredClone(
              fromVersion === `${fromTemplate}-1` ? earlierContent(find(fromTemplate)) : find(fromTemplate).template,
            ),
            ...(language && !edit ? { language } : {}),
          },
          { edits: edit ? fromTemplate : null },
        );
      return newDraft(
        {
          name: "",
          language: "en_US",
          category: "marketing",
          components: [{ type: "BODY", text: "" }] as Component[],
        } as Template,
        accounts,
      );
    },
    get_draft: ({ draft }) => structuredClone(draftOf(draft)),
    save_draft: (draft) => {
      const saved = { ...structuredClone(draft), updatedAt: Date.now() };
      drafts.set(draft.id, saved);
      emit({ type: "draftSaved", workspace: draft.workspace, id: draft.id });
      return {};
    },
    delete_draft: ({ draft }) => {
      const deleted = draftOf(draft);
      drafts.delete(draft);
      return structuredClone(deleted);
    },
    restore_draft: (draft) => {
      drafts.set(draft.id, structuredClone(draft));
      return {};
    },
    inspect_template: rules.inspect,
    check_name: () => [],
    read_template: ({ text }) => rules.readTemplate(text),
    rewrite_template: rules.rewriteTemplate,
    find_templates: rules.findTemplates,
    choose_templates: () => null,
    list_recent_files: () => [
      { path: "/home/ana/summer.jpg", name: "summer.jpg", size: 182_344, mime: "image/jpeg", thumbnail: THUMBNAIL },
    ],
    get_edit_context: async ({ draft }) => {
      const { edits } = draftOf(draft);
      const found = find(edits ?? refusal({ code: "invalidInput", field: "draft", message: "A new template." }));
      const { row, template } = found;
      const guidance = await guidanceOf(found);
      return {
        reference: row.reference,
        status: row.status,
        archived: row.archived === true,
        approvedInSome: false,
        original: template,
        files: { cards: [] },
        accepted: !["PENDING", "REJECTED"].includes(row.status),
        wabaIds: row.wabas,
        editable: ["APPROVED", "REJECTED", "PAUSED"].includes(row.status),
        locks: ["name", "language", "wabaIds"],
        categoryUsuallyFixed: row.status === "APPROVED",
        quota: row.status === "APPROVED" ? { usedDay: 0, perDay: 1, usedMonth: 2, perMonth: 10, nextAt: null } : null,
        rejectedReason: row.rejectedReason,
        guidance,
        answerPaths: guidance.slice(0, 1).map(({ path }) => path),
      };
    },
    ...historyHandlers(find),
    ...importHandlers(templates, emit),
    ...reviewHandlers(templates, draftRows),
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
    ...submissionHandlers({ templates, drafts, draftOf, find, chosen }),
    ...listHandlers(templates),
    ...bulkActionHandlers(templates, emit),
    ...sending,
    ...activityHandlers(emit, chosen),
    ...storageHandlers(emit, chosen),
    ...supportHandlers(chosen),
    ...updateHandlers(),
    ...keyringHandlers(emit, chosen),
    ...endpointHandlers(workspaceOf),
    ...optOuts.handlers,
    ...inboxHandlers(optOuts.stopOf),
    ...phoneHandlers(emit),
    ...batches,
    ...recipientFileHandlers,
    ...comparisonHandlers(batches),
    ...feedHandlers(emit, chosen),
    set_receiver: ({ address }) => ({ state: "listening", address }),
    ...insightsHandlers(() => templates.map(({ row }) => row.status)),

    decide_review: ({ reference, event }) => {
      find(reference).row.status = event;
      return {};
    },
  };
}

/** Gives the WABAs of the sandbox workspace names. */
export async function nameWabas(host: FakeHost, wabaNames: Record<string, string>): Promise<void> {
  const workspace = await host.call("get_workspace", { workspace: "sandbox" });
  host.answer("get_workspace", () => ({ ...workspace, settings: { ...workspace.settings, wabaNames } }));
}

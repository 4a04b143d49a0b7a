import { type NotificationData, notifications } from "@mantine/notifications";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { AccountNotice, DeskEvent } from "@/bindings/app";
import { NOTICE_COLOR, useAccountNoticeText } from "@/components/account-notice";
import { useReasonTitle } from "@/components/rejection-reason";
import { useCategoryText, useQualityText, useStatusText } from "@/components/status-badge";
import { showUndo } from "@/components/undo-toast";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useDeskEvent } from "@/lib/ipc/events";
import { isExpectedStatus, statusToast } from "@/lib/status-toast";
import { useForeignAccountText, useHasSeveralWabas, useWabaName } from "@/lib/waba-names";

const COLORS: Record<string, string> = { APPROVED: "teal", REINSTATED: "teal", REJECTED: "red", DISABLED: "red" };

/** So many of one kind within this time are said one by one, in milliseconds; what comes beyond is said in one. */
const ONE_BY_ONE = 3;
const SPAN = 2_000;
/** How long a critical notice of an account is shown, in milliseconds. "Needs attention" keeps it. */
const CRITICAL_TIME = 20_000;

type Change = Extract<
  DeskEvent,
  { type: "templateStatusChanged" | "templateCategoryChanged" | "templateQualityChanged" }
>;
const isChange = (event: DeskEvent): event is Change =>
  event.type === "templateStatusChanged" ||
  event.type === "templateCategoryChanged" ||
  event.type === "templateQualityChanged";

/** Notifications in the window for changes of templates; the host sends those of the desktop. */
export function StatusToasts() {
  const { t } = useTranslation(["shell", "templates"]);
  const text = useStatusText();
  const category = useCategoryText();
  const quality = useQualityText();
  const reason = useReasonTitle();
  const { workspaces } = useBootstrap();
  const workspace = useWorkspace();
  const accountText = useChangedAccountText(workspace.id);
  const notice = useAccountNoticeText(workspace.id);
  const grouped = useGrouping();
  const archived = useBulkArchived();
  const accountToast = useAccountToast();
  const navigate = useNavigate();
  /** What was last said of incomplete listings, by workspace. */
  const incomplete = useRef(new Map<string, string>());
  const nameOf = (id: string) => workspaces.find((entry) => entry.id === id)?.name ?? id;

  const words = (event: Change): { color: string; title: string; message: string } => {
    const { name, language } = event;
    const account = accountText(event);
    const message = (words: string) => [words, account].filter(Boolean).join(" · ");
    if (event.type === "templateStatusChanged") {
      return {
        color: COLORS[event.event] ?? "yellow",
        title: t("status.changed", { name, language, event: text(event.event) }),
        message: message(event.reason ? reason(event.reason) : ""),
      };
    }
    const named = event.type === "templateCategoryChanged" ? category : quality;
    const kind = event.type === "templateCategoryChanged" ? "status.category" : "status.quality";
    return {
      color: "yellow",
      title: t(kind, { name, language, after: named(event.after) }),
      message: message(event.before ? t("status.before", { before: named(event.before) }) : ""),
    };
  };

  useDeskEvent((event) => {
    if (event.type === "bulkActionProgress") {
      archived.follow(event.workspace);
    } else if (isChange(event)) {
      if (event.workspace !== workspace.id) return;
      const { name, language } = event;
      if (event.type === "templateStatusChanged" && isExpectedStatus(event.workspace, name, language, event.event))
        return;
      const asked = archived.count(event);
      const many = asked ?? grouped(event.type, `${name} ${language}`);
      // One toast a template, account and kind: a quick sequence shows where it ended.
      const isStatus = event.type === "templateStatusChanged";
      const account = accountText(event) ?? "";
      const base = isStatus ? statusToast(name, language) : `${event.type} ${name} ${language}`;
      const id = account === "" ? base : `${base} ${account}`;
      // What the submission said, before any account answered.
      if (id !== base) notifications.hide(base);
      if (many === undefined) show(id, words(event));
      else
        show(`${event.type} many`, {
          color: asked === undefined ? "yellow" : "teal",
          title: t("status.many", { count: many }),
          message: "",
        });
    } else if (event.type === "accountNotice") {
      const { title, facts } = notice(event.notice);
      accountToast(event.notice.id, {
        severity: event.notice.severity,
        title: event.workspace === workspace.id ? title : `${nameOf(event.workspace)}: ${title}`,
        message: facts,
      });
    } else if (event.type === "listingIncomplete") {
      if (event.workspace !== workspace.id) return;
      const { listed, missing, skipped } = event;
      // Each refresh of such a provider would say the same.
      const facts = `${missing} ${skipped}`;
      if (incomplete.current.get(event.workspace) === facts) return;
      incomplete.current.set(event.workspace, facts);
      const said = [
        ...(skipped > 0 ? [t("refreshing.skippedText", { ns: "templates", count: skipped })] : []),
        ...(missing > 0
          ? [t("refreshing.missingText", { ns: "templates", count: listed, all: listed + missing })]
          : []),
      ];
      show("incomplete", {
        color: "orange",
        title: t("refreshing.missing", { ns: "templates" }),
        message: said.join(" "),
        autoClose: CRITICAL_TIME,
      });
    } else if (event.type === "templatesRemoved") {
      if (event.workspace !== workspace.id) return;
      const { count } = event;
      showUndo({
        color: "orange",
        title: t("status.removed", { count }),
        message: t("status.removedText", { count }),
        more: { label: t("status.showRemoved"), run: () => void navigate({ to: "/templates/removed" }) },
      });
    } else if (event.type === "webhooksFailing") {
      show(`webhooks ${event.workspace} ${event.number ?? ""}`, {
        color: "red",
        title: t("status.webhooks", { name: nameOf(event.workspace) }),
        message: t("status.webhooksText", { count: event.refused }),
      });
    } else if (event.type === "tokenExpiring") {
      const { name, days } = event;
      show(`token ${event.workspace}`, {
        color: days < 0 ? "red" : "yellow",
        title: t(days < 0 ? "status.tokenExpired" : "status.tokenExpiring", { name }),
        message: days < 0 ? t("attention.tokenTodo") : t("status.tokenLeft", { count: days }),
      });
    } else if (event.type === "windowHidden") {
      // It is read when the window is back.
      show("hidden", { color: "brand", title: t("status.hidden"), message: t("status.hiddenText"), autoClose: false });
    }
  });
  return null;
}

/** The account that a webhook reported a change for: where the workspace has several, or does not have this one. */
function useChangedAccountText(workspace: string): (event: Change) => string | undefined {
  const wabaName = useWabaName(workspace);
  const hasSeveral = useHasSeveralWabas(workspace);
  const foreignText = useForeignAccountText(workspace);
  return ({ account, reference }) => {
    const foreign = reference == null ? foreignText(account) : undefined;
    return foreign ?? (hasSeveral && account != null ? wabaName(account) : undefined);
  };
}

type Toast = Omit<NotificationData, "id">;

function show(id: string, toast: Toast) {
  notifications.hide(id);
  notifications.show({ id, ...toast });
}

interface AccountWords {
  severity: AccountNotice["severity"];
  title: string;
  message: string;
}

const URGENCY = { information: 0, warning: 1, critical: 2 } as const satisfies Record<
  AccountNotice["severity"],
  number
>;

/** One toast for the notices of all accounts: the most urgent, of several the last, and how many others need attention. */
function useAccountToast(): (id: string, words: AccountWords) => void {
  const { t } = useTranslation("shell");
  const open = useRef(new Map<string, AccountWords>());
  return (id, words) => {
    const all = new Map(open.current).set(id, words);
    let urgent = words;
    for (const one of all.values()) if (URGENCY[one.severity] >= URGENCY[urgent.severity]) urgent = one;
    const others = [...all.values()].filter((one) => one !== urgent && one.severity !== "information").length;
    const more = others > 0 ? t("status.moreNotices", { count: others }) : "";
    show("account", {
      color: NOTICE_COLOR[urgent.severity],
      title: urgent.title,
      message: [urgent.message, more].filter(Boolean).join(" · "),
      ...(urgent.severity === "critical" ? { autoClose: CRITICAL_TIME } : {}),
      onClose: () => open.current.clear(),
    });
    open.current = all;
  };
}

/** How many templates a combined notification is about. */
function useGrouping(): (kind: string, template: string) => number | undefined {
  const recent = useRef(new Map<string, { at: number; template: string }[]>());
  return (kind, template) => {
    const now = Date.now();
    const before = (recent.current.get(kind) ?? []).filter(({ at }) => now - at < SPAN);
    const all = [...before, { at: now, template }];
    recent.current.set(kind, all);
    const templates = new Set(all.map((entry) => entry.template)).size;
    return templates > ONE_BY_ONE ? templates : undefined;
  };
}

/** The statuses that bulk actions ask for. */
const BULK_STATUSES = new Set(["ARCHIVED", "UNARCHIVED", "PENDING_DELETION", "DELETED"]);

/** How long after the last step of a bulk action its webhooks may come, in milliseconds. */
const BULK_TIME = 60_000;

/** How many templates got a status that bulk actions ask for, while one runs in the workspace and shortly after it. */
function useBulkArchived() {
  const running = useRef({ workspace: "", until: 0, templates: new Set<string>() });
  const count = (event: Change) => {
    const { workspace, until, templates } = running.current;
    const isAsked = event.type === "templateStatusChanged" && BULK_STATUSES.has(event.event);
    if (!isAsked || event.workspace !== workspace || Date.now() > until) return undefined;
    return templates.add(`${event.name} ${event.language}`).size;
  };
  const follow = (workspace: string) => {
    const before = running.current;
    const goesOn = before.workspace === workspace && Date.now() <= before.until;
    const templates = goesOn ? before.templates : new Set<string>();
    running.current = { workspace, until: Date.now() + BULK_TIME, templates };
  };
  return { count, follow };
}

import { useTranslation } from "react-i18next";
import type { EventRow } from "@/bindings/app";
import { useMessageKindText } from "@/components/message-kind";
import { useReasonTitle } from "@/components/rejection-reason";
import { useCategoryText, useQualityText, useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { useNumberName } from "@/lib/number-names";
import { useHasSeveralWabas, useWabaName } from "@/lib/waba-names";

/** What an item can be; the set is open, these are the words of the ones known. */
export const KINDS = [
  "status",
  "message",
  "template_status",
  "template_quality",
  "template_category",
  "template_components",
  "set_aside",
  "errors",
  "account_alert",
  "account_update",
  "account_review",
  "business_capability",
  "phone_number_quality",
  "phone_number_name",
  "security",
  "user_preferences",
  "user_action",
  "business_username",
  "payment_configuration",
  "unknown",
] as const;

const COLORS: Record<string, string> = {
  status: "blue",
  message: "teal",
  errors: "red",
  set_aside: "red",
  unknown: "gray",
};

/** Colour of a kind: those about templates share one. */
export function kindColor(kind: string): string {
  return COLORS[kind] ?? (kind.startsWith("template_") ? "grape" : "yellow");
}

/** A kind in the language of the window; the word itself where it has none. */
export function useKindText(): (kind: string) => string {
  const { t, i18n } = useTranslation("activity");
  return (kind) => {
    const key = `kind.${kind}`;
    return i18n.exists(key, { ns: "activity" }) ? t(key as "kind.status") : kind;
  };
}

/** What an event says, with the words of the channel in it in the language of the window. */
export function useSummaryText(): (row: EventRow) => string {
  const { t, i18n } = useTranslation("activity");
  const status = useStatusText();
  const reason = useReasonTitle();
  const category = useCategoryText();
  const quality = useQualityText();
  const messageKind = useMessageKindText();
  return ({ kind, field, summary, revision, meaning }) => {
    if (meaning != null) return t(`meaning.${meaning}`);
    if (revision) {
      return [messageKind(revision.deletion ? "revoke" : "edit"), summary].filter(Boolean).join(SEPARATOR);
    }
    if (summary === "") return "";
    // The host summarizes an event by its field if the row has no other words for it.
    const change = `change.${kind}`;
    if (summary === field && i18n.exists(change, { ns: "activity" })) return t(change as "change.security");
    if (kind === "template_quality") return quality(summary);
    if (kind === "template_category") {
      const [words = "", announced] = summary.split(SEPARATOR);
      const change = words.split(ARROW).map(category).join(ARROW);
      return announced === undefined ? change : t("announced", { change });
    }
    if (kind !== "status" && kind !== "template_status") return summary;
    const [first = "", ...rest] = summary.split(SEPARATOR);
    const words = rest.join(SEPARATOR);
    return [status(first), kind === "template_status" && words !== "" ? reason(words) : words]
      .filter(Boolean)
      .join(SEPARATOR);
  };
}

/** The reported status of an event in the language of the window; for a template's quality, the rating. */
export function useEventStatusText(): (status: string) => string {
  const { i18n } = useTranslation();
  const statusText = useStatusText();
  const quality = useQualityText();
  return (status) => (i18n.exists(`quality.${status}`, { ns: "common" }) ? quality(status) : statusText(status));
}

/** The account that a template event names, where the workspace has several. */
export function useAccountText(): (row: EventRow) => string | undefined {
  const { id } = useWorkspace();
  const wabaName = useWabaName(id);
  const hasSeveral = useHasSeveralWabas(id);
  return ({ contact, template, account }) =>
    hasSeveral && contact == null && template != null && account != null ? wabaName(account) : undefined;
}

/** Who or what an event is about; an account and a number by their name in the workspace. */
export function useSubjectText(): (row: EventRow) => string {
  const wabaName = useWabaName(useWorkspace().id);
  const numberName = useNumberName();
  return ({ contact, template, number, subject }) => {
    if (contact != null || template != null || subject === "") return subject;
    return number === subject ? (numberName(subject) ?? subject) : wabaName(subject);
  };
}

const SEPARATOR = " · ";
const ARROW = " → ";

import { useTranslation } from "react-i18next";
import type { EventRow } from "@/bindings/app";
import { useMessageKindText } from "@/components/message-kind";
import { useReasonTitle } from "@/components/rejection-reason";
import { useStatusText } from "@/components/status-badge";

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

/** What an event says, with the status or the kind of change it begins with in the language of the window. */
export function useSummaryText(): (row: EventRow) => string {
  const status = useStatusText();
  const reason = useReasonTitle();
  const messageKind = useMessageKindText();
  return ({ kind, summary, revision }) => {
    if (revision) {
      return [messageKind(revision.deletion ? "revoke" : "edit"), summary].filter(Boolean).join(SEPARATOR);
    }
    if (summary === "" || (kind !== "status" && kind !== "template_status")) return summary;
    const [first = "", ...rest] = summary.split(SEPARATOR);
    const words = rest.join(SEPARATOR);
    return [status(first), kind === "template_status" && words !== "" ? reason(words) : words]
      .filter(Boolean)
      .join(SEPARATOR);
  };
}

const SEPARATOR = " · ";

import { useTranslation } from "react-i18next";
import type { DeskError, WorkspaceSummary } from "@/bindings/app";
import { localTime } from "@/components/instant";
import { useBootstrap } from "@/lib/desk";

/** How it is in a few words, and in a sentence with its time. */
interface Health {
  level: "good" | "unknown" | "warning" | "bad";
  text: string;
  sentence: string;
}

const CONNECTION_LEVEL = {
  unknown: "unknown",
  working: "good",
  unauthorized: "bad",
  unreachable: "bad",
  failing: "warning",
} as const satisfies Record<WorkspaceSummary["connection"]["state"], Health["level"]>;

/** Whether the provider of a workspace answers, as its last answer shows. */
export function useConnectionHealth(): (workspace: WorkspaceSummary) => Health {
  const { t, i18n } = useTranslation("shell");
  return ({ connection: { state, at, error } }) => {
    const sentence = t(`connection.${state}Text`, { time: at == null ? "" : localTime(at, i18n.language) });
    return { level: CONNECTION_LEVEL[state], text: t(`connection.${state}`), sentence: joined(sentence, words(error)) };
  };
}

const WEBHOOKS_LEVEL = {
  working: "good",
  rejected: "warning",
  serverFailing: "bad",
  rejecting: "bad",
} as const satisfies Record<WorkspaceSummary["webhooks"]["state"], Health["level"]>;

/**
 * Whether a workspace receives webhooks: the receiver of this computer, its endpoints, and the servers it follows.
 * `leadsTo` is the screen that shows the cause: the rejected deliveries, or the settings of the receiver.
 */
export function useWebhookHealth({ webhooks }: WorkspaceSummary): Health & { leadsTo: "refused" | "receiver" } {
  const { t, i18n } = useTranslation("shell");
  const { receiver } = useBootstrap();
  const { state, at, reason } = webhooks;
  if (receiver.state === "failed") {
    return { level: "bad", text: t("receiver.failed"), sentence: t("receiver.failed"), leadsTo: "receiver" };
  }
  const time = at == null ? "" : localTime(at, i18n.language);
  if (state !== "working") {
    const sentence = joined(t(`webhooks.${state}Text`, { time }), reason ?? "");
    const leadsTo = state === "serverFailing" ? "receiver" : "refused";
    return { level: WEBHOOKS_LEVEL[state], text: t(`webhooks.${state}`), sentence, leadsTo };
  }
  if (receiver.state === "starting") {
    return { level: "unknown", text: t("receiver.starting"), sentence: t("receiver.starting"), leadsTo: "receiver" };
  }
  const local = t("receiver.local", { address: receiver.address });
  const last = at == null ? t("webhooks.none") : t("webhooks.last", { time });
  return { level: "good", text: t("receiver.listening"), sentence: `${local}. ${last}`, leadsTo: "receiver" };
}

/** The provider's or the system's own words. */
function words(error: DeskError | null | undefined): string {
  if (error == null) return "";
  if ("message" in error) return error.message;
  return "reason" in error ? error.reason : "";
}

const joined = (...parts: string[]) => parts.filter((part) => part !== "").join(" ");

import { useTranslation } from "react-i18next";
import type { Diagnosis } from "@/bindings/receiver";
import { useBootstrap } from "@/lib/desk";

/** A finding in words. */
export interface Finding {
  /** What happened, as a heading. */
  what: string;
  /** Why that was the reason to refuse it. */
  why: string[];
  todo: string;
  /** The workspace whose secret is to be looked at. */
  secretOf: string | undefined;
}

type Row = { reason: string; workspace?: string | null };

/** What the doctor found in words a person can act on: what happened, why, and what to do. */
export function useDiagnosisText(): (diagnosis: Diagnosis, row: Row) => Finding {
  const { t, i18n } = useTranslation("doctor");
  const { workspaces } = useBootstrap();
  const workspaceName = (id: string) => workspaces.find((workspace) => workspace.id === id)?.name ?? id;
  const secretName = (name: string) => named("secret", name, name);

  /** The text of a word of an open set, or another where it has none. */
  function named(group: string, word: string, otherwise: string): string {
    const key = `${group}.${word}`;
    return i18n.exists(key, { ns: "doctor" }) ? t(key as "change.compressed.what") : otherwise;
  }

  return (diagnosis, { reason, workspace }) => {
    const own = workspace ?? undefined;
    const finding = (kind: Diagnosis["kind"], values: Record<string, string | number> = {}): Finding => ({
      what: t(`${kind}.what` as "valid.what", values),
      why: [t(`${kind}.why` as "valid.why", values)],
      todo: t(`${kind}.todo` as "valid.todo", values),
      secretOf: undefined,
    });
    switch (diagnosis.kind) {
      case "plain": {
        const known = i18n.exists(`reason.${reason}.why`, { ns: "activity" }) ? reason : "other";
        return {
          what: t(`reason.${known as "mismatch"}.why`, { ns: "activity", reason }),
          why: [],
          todo: t(`reason.${known as "mismatch"}.todo`, { ns: "activity" }),
          secretOf: reason === "verifyTokenMismatch" || reason === "noVerifyToken" ? own : undefined,
        };
      }
      case "noHeader": {
        const { otherHeader, secret } = diagnosis;
        if (!otherHeader) return finding("noHeader");
        const values = { header: otherHeader, secret: secret ? secretName(secret) : "" };
        return {
          what: t("noHeader.otherWhat", values),
          why: [t(secret ? "noHeader.otherValid" : "noHeader.otherWhy", values)],
          todo: t("noHeader.otherTodo", values),
          secretOf: undefined,
        };
      }
      case "wrongForm": {
        const { faults, secret } = diagnosis;
        const said = finding("wrongForm");
        const why = faults.map((fault) => named("fault", fault, fault));
        return {
          ...said,
          why: [...said.why, ...why, ...(secret ? [t("wrongForm.wouldFit", { secret: secretName(secret) })] : [])],
        };
      }
      case "noSecret":
        return { ...finding("noSecret"), secretOf: own };
      case "otherRoute": {
        const values = { workspace: workspaceName(diagnosis.workspace), secret: secretName(diagnosis.secret) };
        return { ...finding("otherRoute", values), secretOf: undefined };
      }
      case "bodyChanged": {
        const { change, secret } = diagnosis;
        return {
          what: t("bodyChanged.what", { change: named(`change.${change}`, "what", change) }),
          why: [t("bodyChanged.why", { secret: secretName(secret) })],
          todo: named(`change.${change}`, "todo", t("change.reserialised.todo")),
          secretOf: undefined,
        };
      }
      case "secretEdges": {
        const { edge } = diagnosis;
        return {
          what: t("secretEdges.what"),
          why: [named(`edge.${edge}`, "why", edge)],
          todo: named(`edge.${edge}`, "todo", t("edge.ownBlanks.todo")),
          secretOf: own,
        };
      }
      case "otherSecret": {
        const tried = new Intl.ListFormat(i18n.language).format(diagnosis.tried.map(secretName));
        return { ...finding("otherSecret", { tried }), secretOf: own };
      }
      case "valid":
        return finding("valid", { by: secretName(diagnosis.by) });
      case "duplicateHeader":
      case "wrongAlgorithm":
      case "bodyCut":
      case "bodyNotKept":
        return finding(diagnosis.kind);
      default:
        // A finding of a newer host: the reason still says why.
        return {
          what: t("reason.other.why", { ns: "activity", reason }),
          why: [],
          todo: t("reason.other.todo", { ns: "activity" }),
          secretOf: undefined,
        };
    }
  };
}

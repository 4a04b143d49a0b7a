// What the business accounts (WABAs) of a workspace are called.

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { queries } from "./ipc/queries";

/** The name of a WABA; its identifier where it has none. */
export function useWabaName(workspace: string): (waba: string) => string {
  const names = useQuery(queries.workspace(workspace)).data?.settings.wabaNames;
  return (waba) => names?.[waba] || waba;
}

/** The name of a WABA with its identifier, for choices between them and for details. */
export function useWabaText(workspace: string): (waba: string) => string {
  const name = useWabaName(workspace);
  return (waba) => (name(waba) === waba ? waba : `${name(waba)} (${waba})`);
}

/** The names of the WABAs of a draft, as lists show them; `undefined` in a workspace with one WABA. */
export function useDraftWabas(workspace: string): (wabaIds: readonly string[]) => string | undefined {
  const { t } = useTranslation("common");
  const name = useWabaName(workspace);
  const hasSeveral = useHasSeveralWabas(workspace);
  return (wabaIds) => {
    if (!hasSeveral) return undefined;
    return wabaIds.length === 0 ? t("noAccount") : wabaIds.map(name).join(", ");
  };
}

/** Whether the settings of a workspace name several WABAs. */
export function useHasSeveralWabas(workspace: string): boolean {
  return useKnownWabas(workspace).size > 1;
}

/** The WABAs that the settings of a workspace name. */
export function useKnownWabas(workspace: string): ReadonlySet<string> {
  const settings = useQuery(queries.workspace(workspace)).data?.settings;
  if (!settings) return NONE;
  const { wabaIds, wabaNames, numbers } = settings;
  const named = [...wabaIds, ...Object.keys(wabaNames), ...numbers.map(({ wabaId }) => wabaId)];
  return new Set(named.filter((waba) => waba !== ""));
}

/** That an account is not one of those that the settings of a workspace name; `undefined` if they name none. */
export function useForeignAccountText(workspace: string): (account: string | null | undefined) => string | undefined {
  const { t } = useTranslation("shell");
  const known = useKnownWabas(workspace);
  return (account) =>
    account == null || known.size === 0 || known.has(account)
      ? undefined
      : t("status.otherAccount", { account, nest: false });
}

const NONE: ReadonlySet<string> = new Set();

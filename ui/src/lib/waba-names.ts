// What the business accounts (WABAs) of a workspace are called.

import { useQuery } from "@tanstack/react-query";
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

/** Whether the settings of a workspace name several WABAs. */
export function useHasSeveralWabas(workspace: string): boolean {
  const settings = useQuery(queries.workspace(workspace)).data?.settings;
  if (!settings) return false;
  const { wabaIds, wabaNames, numbers } = settings;
  const named = [...wabaIds, ...Object.keys(wabaNames), ...numbers.map(({ wabaId }) => wabaId)];
  return new Set(named.filter((waba) => waba !== "")).size > 1;
}

import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { SendingNumber } from "@/bindings/app";
import { queries } from "@/lib/ipc/queries";
import { useWabaName } from "@/lib/waba-names";
import { route, useChange } from "./range";

/** The WABA or number that the address asks for. */
export interface Sender {
  waba: string | null;
  number: string | null;
}

export const senderOf = ({ waba, number }: { waba?: string; number?: string }): Sender => ({
  waba: waba ?? null,
  number: number ?? null,
});

interface SenderFilterProps {
  workspace: string;
}

/** The number that messages went out from, or the account with all its numbers. Absent where there is no choice. */
export function SenderFilter({ workspace }: SenderFilterProps) {
  const { t } = useTranslation("insights");
  const { waba, number } = senderOf(route.useSearch());
  const change = useChange();
  const wabaName = useWabaName(workspace);
  const numbers = useQuery(queries.workspace(workspace)).data?.settings.numbers ?? [];
  const value = number !== null ? `number:${number}` : waba !== null ? `waba:${waba}` : null;
  if (numbers.length < 2 && value === null) return null;

  const option = ({ id, label }: SendingNumber) => ({ value: `number:${id}`, label: label || id });
  const allOf = (id: string) => ({ value: `waba:${id}`, label: t("filter.allOf", { account: wabaName(id) }) });
  const wabas = [...new Set(numbers.map(({ wabaId }) => wabaId))];
  const groups =
    wabas.length < 2
      ? numbers.map(option)
      : // Numbers of unknown accounts come last.
        [...wabas.filter((id) => id !== ""), ...wabas.filter((id) => id === "")].map((id) => ({
          group: id === "" ? t("filter.unknownAccount") : wabaName(id),
          items: [...(id === "" ? [] : [allOf(id)]), ...numbers.filter(({ wabaId }) => wabaId === id).map(option)],
        }));
  const values = groups.flatMap((group) => ("items" in group ? group.items : [group]));
  // The filter of the address stays visible even if the workspace has no such number any more.
  const missing =
    value === null || values.some((known) => known.value === value)
      ? []
      : [number === null ? allOf(waba ?? "") : { value, label: number }];
  return (
    <Select
      aria-label={t("filter.sender")}
      placeholder={t("filter.any.sender")}
      clearable
      searchable
      clearButtonProps={{ "aria-label": t("filter.remove", { name: t("filter.sender") }) }}
      nothingFoundMessage={t("filter.noSender")}
      w={200}
      comboboxProps={{ width: "max-content", position: "bottom-start", shadow: "md" }}
      value={value}
      onChange={(next) => {
        const [kind, id] = [next?.split(":", 1)[0], next?.slice(next.indexOf(":") + 1)];
        change({ waba: kind === "waba" ? id : undefined, number: kind === "number" ? id : undefined });
      }}
      data={[...groups, ...missing]}
    />
  );
}

import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useKnownWabas, useWabaText } from "@/lib/waba-names";
import { route, useChange } from "./range";

/** The account that decided. Absent where there is no choice. */
export function AccountFilter({ workspace }: { workspace: string }) {
  const { t } = useTranslation("insights");
  const { waba } = route.useSearch();
  const change = useChange();
  const text = useWabaText(workspace);
  const known = useKnownWabas(workspace);
  if (known.size < 2 && waba === undefined) return null;
  // The filter of the address stays visible even if the workspace has no such account any more.
  const wabas = new Set([...known, ...(waba === undefined ? [] : [waba])]);
  return (
    <Select
      aria-label={t("filter.account")}
      placeholder={t("filter.any.account")}
      clearable
      searchable
      clearButtonProps={{ "aria-label": t("filter.remove", { name: t("filter.account") }) }}
      nothingFoundMessage={t("filter.noAccount")}
      w={200}
      comboboxProps={{ width: "max-content", position: "bottom-start", shadow: "md" }}
      value={waba ?? null}
      // A number belongs to another account.
      onChange={(next) => change({ waba: next ?? undefined, number: undefined })}
      data={[...wabas].map((id) => ({ value: id, label: text(id) }))}
    />
  );
}

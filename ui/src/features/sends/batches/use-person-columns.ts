import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { nameOf } from "@/components/recipient-form";
import { queries } from "@/lib/ipc/queries";
import type { Columns } from "./mapping-fields";
import { usePersonFieldText } from "./use-field-labels";

/** The fields of a person as what can fill a part, with the values of the one who is shown. */
export function usePersonColumns(workspace: string, person: Recipient | undefined): Columns {
  const { t } = useTranslation("batches");
  const book = useQuery(queries.recipients({ workspace }));
  const fieldText = usePersonFieldText();
  return {
    options: (book.data?.fields ?? []).map((field) => ({ value: field, label: fieldText(field) })),
    valueOf: (field) => (person === undefined ? undefined : (person.values[field] ?? "")),
    heading: t("map.person"),
    example: (value) => t("map.personSample", { name: person ? nameOf(person) : "", value, nest: false }),
    unchanged: t("map.unchanged"),
  };
}

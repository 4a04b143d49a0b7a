import { useTranslation } from "react-i18next";
import type { SendForm } from "@/bindings/app";
import { usePartLabel } from "../part-fields";
import { useFieldName } from "../problems";
import { type BatchDraft, fillingOf } from "./draft";

/** What each part is called. */
export function usePartTexts({ parts }: Pick<SendForm, "parts">): (id: string) => string | undefined {
  const { t } = useTranslation("sends");
  const label = usePartLabel();
  return (id) => {
    const part = parts.find((one) => one.id === id);
    if (!part) return undefined;
    const isLocation = parts.some(
      ({ kind, section, card }) => kind === "number" && section === part.section && card === part.card,
    );
    const words = label(part, isLocation);
    return part.card == null ? words : `${t("form.cardName", { place: part.card + 1 })} · ${words}`;
  };
}

/** Where a problem is, in words: what the field fills and the column that it comes from. */
export function useFieldLabels(form: SendForm, draft: BatchDraft, reference: string): (field: string) => string {
  const { t } = useTranslation("batches");
  const partText = usePartTexts(form);
  const fieldName = useFieldName();
  const personField = usePersonFieldText();
  return (field) => {
    const { mapped, fields } = fillingOf(draft, reference, form);
    const value = mapped[field];
    const ofPerson = fields[field];
    const column =
      draft.source !== "csv"
        ? ofPerson && personField(ofPerson.column)
        : field === "to"
          ? draft.to
          : value?.kind === "column"
            ? value.column
            : undefined;
    const what = partText(field) ?? fieldName(field);
    return column === undefined ? what : t("plan.column", { what, column });
  };
}

/** What a field of a person in the address book is called. The set is open: one without a name is shown by its key. */
export function usePersonFieldText(): (field: string) => string {
  const { t, i18n } = useTranslation("batches");
  return (field) =>
    i18n.exists(`personField.${field}`, { ns: "batches" }) ? t(`personField.${field}` as "personField.name") : field;
}

/** What each column fills, in words. */
export function useUses(form: SendForm, draft: BatchDraft, reference: string): ReadonlyMap<string, string[]> {
  const { t } = useTranslation("batches");
  const partText = usePartTexts(form);
  const uses = new Map<string, string[]>();
  const add = (column: string, words: string) => uses.set(column, [...(uses.get(column) ?? []), words]);
  if (draft.to !== "") add(draft.to, t("form.to", { ns: "sends" }));
  if (draft.name !== "") add(draft.name, t("recipient.name"));
  for (const [id, value] of Object.entries(fillingOf(draft, reference, form).mapped)) {
    const words = partText(id);
    if (value.kind === "column" && words !== undefined) add(value.column, words);
  }
  return uses;
}

/** A sending number by its label and identifier. */
export function useNumberText({ numbers }: SendForm): (number: string) => string {
  return (number) => {
    const label = numbers.find(({ id }) => id === number)?.label;
    return label ? `${label} (${number})` : number;
  };
}

import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ValuePreview } from "@/bindings/app";
import type { DateOrder, DecimalMark, ValueTransform } from "@/bindings/model";
import { useProblemText } from "@/components/send-problem-text";
import classes from "./batches.module.css";

const KINDS = ["none", "titleCase", "date", "number", "money"] as const;
const ORDERS: readonly DateOrder[] = ["dayFirst", "monthFirst", "spreadsheetDays"];
const MARKS: readonly DecimalMark[] = ["comma", "point"];
/** The column decides. */
const AUTO = "auto";
const CURRENCY_LENGTH = 3;

type Kind = (typeof KINDS)[number];

function kindOf(transform: ValueTransform | null | undefined): Kind {
  if (transform == null) return "none";
  if (transform === "titleCase") return "titleCase";
  if ("date" in transform) return "date";
  return "number" in transform ? "number" : "money";
}

const NEW: Record<Kind, ValueTransform | null> = {
  none: null,
  titleCase: "titleCase",
  date: { date: {} },
  number: { number: {} },
  money: { money: { currency: "" } },
};

interface ColumnFormatProps {
  transform: ValueTransform | null | undefined;
  preview: ValuePreview | undefined;
  onChange: (transform: ValueTransform | null) => void;
}

/** How the texts of a column are written, and what the first of them becomes. */
export function ColumnFormat({ transform, preview, onChange }: ColumnFormatProps) {
  const { t } = useTranslation("batches");
  return (
    <>
      <Select
        label={t("map.format")}
        description={transform === "titleCase" ? t("map.titleCaseExample") : undefined}
        inputWrapperOrder={["label", "input", "description"]}
        allowDeselect={false}
        value={kindOf(transform)}
        data={KINDS.map((kind) => ({ value: kind, label: t(`map.formats.${kind}`) }))}
        onChange={(kind) => onChange(NEW[(kind ?? "none") as Kind])}
      />
      {transform != null && transform !== "titleCase" && <FormatChoices transform={transform} onChange={onChange} />}
      {transform != null && preview && <FormatPreview preview={preview} />}
    </>
  );
}

interface FormatChoicesProps {
  transform: Exclude<ValueTransform, "titleCase">;
  onChange: (transform: ValueTransform) => void;
}

/** What a column cannot say itself: the order of its dates, the decimal mark of its numbers, the currency. */
function FormatChoices({ transform, onChange }: FormatChoicesProps) {
  const { t } = useTranslation("batches");
  const mark = (chosen: DecimalMark | null | undefined, set: (mark: DecimalMark | null) => void) => (
    <Select
      label={t("map.mark")}
      allowDeselect={false}
      value={chosen ?? AUTO}
      data={[AUTO, ...MARKS].map((value) => ({ value, label: t(`map.marks.${value as DecimalMark | "auto"}`) }))}
      onChange={(value) => set(MARKS.find((known) => known === value) ?? null)}
    />
  );
  if ("date" in transform) {
    return (
      <Select
        label={t("map.order")}
        allowDeselect={false}
        value={transform.date.order ?? AUTO}
        data={[AUTO, ...ORDERS].map((value) => ({ value, label: t(`map.orders.${value as DateOrder | "auto"}`) }))}
        onChange={(value) => onChange({ date: { order: ORDERS.find((known) => known === value) ?? null } })}
      />
    );
  }
  if ("number" in transform) return mark(transform.number.mark, (chosen) => onChange({ number: { mark: chosen } }));
  const { money } = transform;
  return (
    <>
      <TextInput
        label={t("map.currency")}
        placeholder={t("map.currencyHint")}
        maxLength={CURRENCY_LENGTH}
        value={money.currency}
        onChange={(event) => onChange({ money: { ...money, currency: event.currentTarget.value.toUpperCase() } })}
      />
      {mark(money.mark, (chosen) => onChange({ money: { ...money, mark: chosen } }))}
    </>
  );
}

function FormatPreview({ preview: { written, value, problem, unread } }: { preview: ValuePreview }) {
  const { t } = useTranslation("batches");
  const text = useProblemText();
  return (
    <div className={classes.becomes} aria-live="polite">
      {value != null && <p>{t("map.becomes", { written, value, nest: false })}</p>}
      {problem && <p>{text(problem)}</p>}
      {unread > 0 && <p>{t("map.unread", { count: unread })}</p>}
    </div>
  );
}

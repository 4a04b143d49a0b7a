import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ValuePreview } from "@/bindings/app";
import type { DateOrder, DecimalMark, SendProblem, ValueTransform } from "@/bindings/model";
import { useProblemText } from "@/components/send-problem-text";
import classes from "./batches.module.css";

const KINDS = ["none", "titleCase", "date", "number", "money"] as const;
const ORDERS: readonly DateOrder[] = ["dayFirst", "monthFirst", "spreadsheetDays"];
const MARKS: readonly DecimalMark[] = ["comma", "point"];
/** The column decides. */
const AUTO = "auto";
const CURRENCY_LENGTH = 3;

type Kind = (typeof KINDS)[number];

/** What a format makes of a column. */
export function kindOf(transform: ValueTransform | null | undefined): Kind {
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
  /** The part that the column fills: a check leads to the choice that is missing. */
  part: string;
  /** What the column fills. */
  label: string;
  transform: ValueTransform | null | undefined;
  preview: ValuePreview | undefined;
  /** The choice of no format, in words. */
  unchanged: string;
  onChange: (transform: ValueTransform | null) => void;
}

/** The field that a problem of a format is about; any other is about the format itself. */
const FIELD_OF: Partial<Record<SendProblem["code"], "order" | "mark" | "currency">> = {
  "value.dateOrder": "order",
  "value.dateDays": "order",
  "value.decimalMark": "mark",
  "value.currency": "currency",
  "value.currencyMissing": "currency",
};

/** Whether a format is an amount whose currency nobody has typed yet. */
export const lacksCurrency = (transform: ValueTransform | null | undefined) =>
  transform != null && transform !== "titleCase" && "money" in transform && transform.money.currency === "";

/** Whether a format needs another choice before any cell can be read. */
export const isUnfinished = ({ problem }: ValuePreview) => problem?.code === "value.currencyMissing";

/** How the texts of a column are written, and what the first of them becomes. */
export function ColumnFormat({ part, label, transform, preview, unchanged, onChange }: ColumnFormatProps) {
  const { t } = useTranslation("batches");
  const text = useProblemText();
  const problem = (transform != null && preview?.problem) || undefined;
  const errorOf = (field: "format" | "order" | "mark" | "currency") =>
    problem && (FIELD_OF[problem.code] ?? "format") === field ? text(problem) : undefined;
  return (
    <>
      <Select
        label={t("map.format")}
        aria-label={t("map.of", { what: t("map.format"), label, nest: false })}
        description={transform === "titleCase" ? t("map.titleCaseExample") : undefined}
        inputWrapperOrder={["label", "input", "description", "error"]}
        allowDeselect={false}
        value={kindOf(transform)}
        data={KINDS.map((kind) => ({ value: kind, label: kind === "none" ? unchanged : t(`map.formats.${kind}`) }))}
        onChange={(kind) => onChange(NEW[(kind ?? "none") as Kind])}
        error={errorOf("format")}
      />
      {transform != null && transform !== "titleCase" && (
        <FormatChoices part={part} label={label} transform={transform} errorOf={errorOf} onChange={onChange} />
      )}
      {transform != null && preview && <FormatPreview preview={preview} />}
    </>
  );
}

interface FormatChoicesProps extends Pick<ColumnFormatProps, "part"> {
  label: string;
  transform: Exclude<ValueTransform, "titleCase">;
  errorOf: (field: "order" | "mark" | "currency") => string | undefined;
  onChange: (transform: ValueTransform) => void;
}

/** What a column cannot say itself: the order of its dates, the decimal mark of its numbers, the currency. */
function FormatChoices({ part, label, transform, errorOf, onChange }: FormatChoicesProps) {
  const { t } = useTranslation("batches");
  const named = (field: "order" | "mark" | "currency") => ({
    label: t(`map.${field}`),
    "aria-label": t("map.of", { what: t(`map.${field}`), label, nest: false }),
    error: errorOf(field),
  });
  const mark = (chosen: DecimalMark | null | undefined, set: (mark: DecimalMark | null) => void) => (
    <Select
      {...named("mark")}
      allowDeselect={false}
      value={chosen ?? AUTO}
      data={[AUTO, ...MARKS].map((value) => ({ value, label: t(`map.marks.${value as DecimalMark | "auto"}`) }))}
      onChange={(value) => set(MARKS.find((known) => known === value) ?? null)}
    />
  );
  if ("date" in transform) {
    return (
      <Select
        {...named("order")}
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
        {...named("currency")}
        data-field={lacksCurrency(transform) ? part : undefined}
        placeholder={t("map.currencyHint")}
        maxLength={CURRENCY_LENGTH}
        value={money.currency}
        onChange={(event) => onChange({ money: { ...money, currency: event.currentTarget.value.toUpperCase() } })}
      />
      {mark(money.mark, (chosen) => onChange({ money: { ...money, mark: chosen } }))}
    </>
  );
}

function FormatPreview({ preview }: { preview: ValuePreview }) {
  const { t } = useTranslation("batches");
  const { written, value, unread } = preview;
  return (
    <div className={classes.becomes} aria-live="polite">
      {value != null && <p>{t("map.becomes", { written, value, nest: false })}</p>}
      {unread > 0 && !isUnfinished(preview) && <p>{t("map.unread", { count: unread })}</p>}
    </div>
  );
}

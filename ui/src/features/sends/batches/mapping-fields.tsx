import { Select, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ValuePreview, ValueSource } from "@/bindings/app";
import type { Bubble, PartKind, SendPart, SendProblem } from "@/bindings/model";
import { PartField, usePartLabel, useSectionName } from "../part-fields";
import { addressIn, groupParts, isSeldomUsed, type PartGroup } from "../parts";
import sends from "../sends.module.css";
import { ColumnFormat, lacksCurrency } from "./column-format";
import type { ColumnSource } from "./mapping";

/** What differs from row to row: the columns of a file, or the fields of a person. */
export interface Columns {
  options: readonly { value: string; label: string }[];
  /** What the row that is shown has there. */
  valueOf: (column: string) => string | undefined;
  /** Heading of the columns among the options. */
  heading: string;
  /** What `valueOf` returned, in words. */
  example: (value: string) => string;
  /** That a value is sent without a format, in words. */
  unchanged: string;
}

interface MappingFieldsProps {
  parts: readonly SendPart[];
  columns: Columns;
  mapped: Readonly<Record<string, ValueSource>>;
  /** Whether a part without a source has an empty value, instead of one that is still to be chosen. */
  fixedFirst?: boolean;
  /** What the columns with a format become, by part. */
  previews: ReadonlyMap<string, ValuePreview>;
  /** Of values that are the same for everyone. */
  problems: ReadonlyMap<string, readonly SendProblem[]>;
  errorOf: (field: string) => string | undefined;
  /** The message as it will be, to read whole addresses from. */
  bubble?: Bubble | undefined;
  onLeave: (field: string) => () => void;
  onChange: (id: string, value: ValueSource | undefined) => void;
}

/** For every part of the template what fills it: a column, or a value that is the same for everyone. */
export function MappingFields({ parts, ...rest }: MappingFieldsProps) {
  return groupParts(parts).map((group) => <MappingGroup key={group.key} group={group} {...rest} />);
}

type MappingGroupProps = Omit<MappingFieldsProps, "parts"> & {
  group: PartGroup;
  /** Whether the card is named around the group. */
  inCard?: boolean;
};

/** The parts of one section of the message. */
export function MappingGroup({ group, inCard = false, ...rest }: MappingGroupProps) {
  const { t } = useTranslation("sends");
  const section = useSectionName()(group.section);
  const isLocation = group.parts.some(({ kind }) => kind === "number");
  return (
    <fieldset className={sends.section} data-card={inCard || undefined}>
      <legend>
        {group.card === undefined || inCard ? section : `${t("form.cardName", { place: group.card + 1 })} · ${section}`}
      </legend>
      <div className={sends.parts}>
        {group.parts.map((part) => (
          <MappingField key={part.id} part={part} isLocation={isLocation} {...rest} />
        ))}
      </div>
    </fieldset>
  );
}

/** Parts that differ from person to person; files, places, times and reply IDs are the same for everyone. */
const OF_PERSONS = new Set<PartKind>(["text", "suffix", "code"]);

const EMPTY: ValueSource = { kind: "fixed", value: "" };
// Columns have any name, so what is no column has a value that no option of a column can have.
const FIXED = "fixed";
const OUT = "out";
const columnOption = (column: string) => `column ${column}`;

type MappingFieldProps = Omit<MappingFieldsProps, "parts"> & { part: SendPart; isLocation: boolean };

function MappingField(props: MappingFieldProps) {
  const { part, isLocation, columns, mapped, fixedFirst = false, previews, problems, errorOf, bubble } = props;
  const { onLeave, onChange } = props;
  const { t } = useTranslation("batches");
  const label = usePartLabel()(part, isLocation);
  const value = mapped[part.id] ?? (fixedFirst ? EMPTY : undefined);
  const sample = value?.kind === "column" ? columns.valueOf(value.column) : undefined;
  const gone =
    value?.kind === "column" && columns.options.length > 0 && !columns.options.some((one) => one.value === value.column)
      ? t("map.gone", { column: value.column, nest: false })
      : undefined;
  const chosen =
    value === undefined ? (part.required ? null : OUT) : value.kind === "fixed" ? FIXED : columnOption(value.column);
  const choose = (option: string | null) => {
    if (option === FIXED) onChange(part.id, EMPTY);
    else if (option === null || option === OUT) onChange(part.id, undefined);
    else {
      const before = value?.kind === "column" ? value : undefined;
      onChange(part.id, { ...before, kind: "column", column: option.slice(columnOption("").length) });
    }
  };
  const mappable = !fixedFirst || OF_PERSONS.has(part.kind);
  const field = value?.kind === "fixed" && (
    <PartField
      part={part}
      label={mappable ? t("map.value", { label }) : label}
      isLocation={isLocation}
      value={value.value}
      problems={problems.get(part.id) ?? []}
      error={errorOf(part.id)}
      address={part.kind === "suffix" && bubble ? addressIn(bubble, part) : undefined}
      onBlur={onLeave(part.id)}
      onChange={(text) => onChange(part.id, { kind: "fixed", value: text })}
    />
  );
  if (!mappable) return field;
  const hasOwnField = value?.kind === "fixed" || (value?.kind === "column" && lacksCurrency(value.transform));
  return (
    <div className={sends.pair}>
      <Select
        label={label}
        description={sample === undefined ? undefined : columns.example(sample === "" ? "–" : sample)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder={t("map.choose")}
        withAsterisk={part.required}
        required={part.required}
        allowDeselect={false}
        searchable={columns.options.length > 8}
        data-field={hasOwnField ? undefined : part.id}
        value={chosen}
        onChange={choose}
        onBlur={onLeave(part.id)}
        error={value?.kind === "fixed" ? undefined : (errorOf(part.id) ?? gone)}
        data={[
          {
            group: columns.heading,
            items: columns.options.map((column) => ({ value: columnOption(column.value), label: column.label })),
          },
          {
            group: t("map.instead"),
            items: [
              { value: FIXED, label: t("map.fixed") },
              ...(part.required || fixedFirst
                ? []
                : [{ value: OUT, label: t(isSeldomUsed(part) ? "map.own" : "map.out") }]),
            ],
          },
        ]}
      />
      {field}
      {value?.kind === "column" && (
        <ColumnOptions
          part={part}
          label={label}
          source={value}
          preview={previews.get(part.id)}
          unchanged={columns.unchanged}
          onChange={onChange}
        />
      )}
    </div>
  );
}

interface ColumnOptionsProps {
  part: SendPart;
  label: string;
  source: ColumnSource;
  preview: ValuePreview | undefined;
  unchanged: string;
  onChange: (id: string, value: ValueSource) => void;
}

/** What happens to the cells of a column before they are sent. */
function ColumnOptions({ part, label, source, preview, unchanged, onChange }: ColumnOptionsProps) {
  const { t } = useTranslation("batches");
  return (
    <>
      <TextInput
        label={t("map.fallback")}
        aria-label={t("map.of", { what: t("map.fallback"), label, nest: false })}
        value={source.fallback ?? ""}
        onChange={(event) => onChange(part.id, { ...source, fallback: event.currentTarget.value || null })}
      />
      {part.kind === "text" && (
        <ColumnFormat
          part={part.id}
          label={label}
          transform={source.transform}
          preview={preview}
          unchanged={unchanged}
          onChange={(transform) => onChange(part.id, { ...source, transform })}
        />
      )}
    </>
  );
}

import { Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { CsvFile, ValueSource } from "@/bindings/app";
import type { SendPart, SendProblem } from "@/bindings/model";
import { PartField, usePartLabel, useSectionName } from "../part-fields";
import { groupParts, type PartGroup } from "../parts";
import sends from "../sends.module.css";

interface MappingFieldsProps {
  parts: readonly SendPart[];
  file: CsvFile;
  mapped: Readonly<Record<string, ValueSource>>;
  /** Of values that are the same for everyone. */
  problems: ReadonlyMap<string, readonly SendProblem[]>;
  errorOf: (field: string) => string | undefined;
  onLeave: (field: string) => () => void;
  onChange: (id: string, value: ValueSource | undefined) => void;
}

/** For every part of the template the column that fills it, or a value that is the same for everyone. */
export function MappingFields({ parts, ...rest }: MappingFieldsProps) {
  return groupParts(parts).map((group) => <Group key={group.key} group={group} {...rest} />);
}

function Group({ group, ...rest }: Omit<MappingFieldsProps, "parts"> & { group: PartGroup }) {
  const { t } = useTranslation("sends");
  const section = useSectionName()(group.section);
  const isLocation = group.parts.some(({ kind }) => kind === "number");
  return (
    <fieldset className={sends.section}>
      <legend>
        {group.card === undefined ? section : `${t("form.cardName", { place: group.card + 1 })} · ${section}`}
      </legend>
      <div className={sends.parts}>
        {group.parts.map((part) => (
          <MappingField key={part.id} part={part} isLocation={isLocation} {...rest} />
        ))}
      </div>
    </fieldset>
  );
}

// Columns have any name, so what is no column has a value that no option of a column can have.
const FIXED = "fixed";
const OUT = "out";
const columnOption = (column: string) => `column ${column}`;

type MappingFieldProps = Omit<MappingFieldsProps, "parts"> & { part: SendPart; isLocation: boolean };

function MappingField({ part, isLocation, file, mapped, problems, errorOf, onLeave, onChange }: MappingFieldProps) {
  const { t } = useTranslation("batches");
  const label = usePartLabel()(part, isLocation);
  const value = mapped[part.id];
  const sample = value?.kind === "column" ? file.sample[0]?.[file.columns.indexOf(value.column)] : undefined;
  const chosen =
    value === undefined ? (part.required ? null : OUT) : value.kind === "fixed" ? FIXED : columnOption(value.column);
  const choose = (option: string | null) => {
    if (option === FIXED) onChange(part.id, { kind: "fixed", value: part.sample });
    else if (option === null || option === OUT) onChange(part.id, undefined);
    else onChange(part.id, { kind: "column", column: option.slice(columnOption("").length) });
  };
  return (
    <div className={sends.pair}>
      <Select
        label={label}
        description={sample === undefined ? undefined : t("map.sample", { value: sample === "" ? "–" : sample })}
        placeholder={t("map.choose")}
        withAsterisk={part.required}
        required={part.required}
        allowDeselect={false}
        searchable={file.columns.length > 8}
        data-field={value?.kind === "fixed" ? undefined : part.id}
        value={chosen}
        onChange={choose}
        onBlur={onLeave(part.id)}
        error={value?.kind === "fixed" ? undefined : errorOf(part.id)}
        data={[
          {
            group: t("map.columns"),
            items: file.columns.map((column) => ({ value: columnOption(column), label: column })),
          },
          {
            group: t("map.instead"),
            items: [
              { value: FIXED, label: t("map.fixed") },
              ...(part.required ? [] : [{ value: OUT, label: t("map.out") }]),
            ],
          },
        ]}
      />
      {value?.kind === "fixed" && (
        <PartField
          part={part}
          label={t("map.value", { label })}
          isLocation={isLocation}
          value={value.value}
          problems={problems.get(part.id) ?? []}
          error={errorOf(part.id)}
          onBlur={onLeave(part.id)}
          onChange={(text) => onChange(part.id, { kind: "fixed", value: text })}
        />
      )}
    </div>
  );
}

import { Button, Group, Radio, Select } from "@mantine/core";
import { IconFileTypeCsv, IconUsers } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CsvFile } from "@/bindings/app";
import { CountrySelect } from "@/components/country-select";
import { ErrorNotice } from "@/components/error-notice";
import { useCountryPlaceholder } from "@/components/use-country-placeholder";
import { useCommand } from "@/lib/ipc/mutations";
import sends from "../sends.module.css";
import classes from "./batches.module.css";
import { type FormerPeople, fromList } from "./draft";
import { FormerPeopleText } from "./former-people";

interface CsvChoiceProps {
  workspace: string;
  file: CsvFile | undefined;
  /** Whose list the file is, if it was made of people of an earlier batch. */
  people: FormerPeople | undefined;
  /** Whether the file must be chosen again, because the app was restarted. */
  isGone: boolean;
  to: string;
  name: string;
  /** Country of numbers without country code; empty for that of the workspace. */
  country: string;
  /** What each column fills, in words. */
  uses: ReadonlyMap<string, string[]>;
  onFile: (file: CsvFile) => void;
  /** The first row of the file was taken as a header, or as a recipient. */
  onHeader: (file: CsvFile) => void;
  onChange: (change: { to?: string; name?: string; country?: string; people?: FormerPeople }) => void;
  errorOf: (field: string) => string | undefined;
}

const DELIMITERS = { ",": "comma", ";": "semicolon", "\t": "tab" } as const;

/** The file with recipients and values: its first rows, and which column is the number. */
export function CsvChoice(props: CsvChoiceProps) {
  const { workspace, file, people, isGone, to, name, country, uses, onFile, onHeader, onChange, errorOf } = props;
  const { t } = useTranslation("batches");
  const countryPlaceholder = useCountryPlaceholder();
  const delimiter = ({ delimiter: mark }: CsvFile) =>
    mark in DELIMITERS ? t(`csv.delimiter.${DELIMITERS[mark as keyof typeof DELIMITERS]}`) : mark;
  const choose = useCommand("choose_csv");
  const retarget = useCommand("retarget_batch");
  const wrong = errorOf("file");
  const isListGone = isGone && people !== undefined;
  const makeAgain = ({ batch, engagement }: FormerPeople) =>
    retarget.mutate(
      { batch, engagement },
      {
        onSuccess: ({ list }) => {
          if (people === undefined || list.kind !== "csv") return;
          onChange({ people: fromList(people, list) });
          onFile(list.file);
        },
      },
    );
  return (
    <div className={classes.people}>
      <Group gap="0.5rem 0.75rem">
        {isListGone && (
          <Button
            leftSection={<IconUsers size={16} aria-hidden />}
            data-field="file"
            loading={retarget.isPending}
            onClick={() => makeAgain(people)}
          >
            {t("retarget.again")}
          </Button>
        )}
        <Button
          variant={file ? "default" : "filled"}
          leftSection={<IconFileTypeCsv size={16} aria-hidden />}
          data-field={isListGone ? undefined : "file"}
          loading={choose.isPending}
          // Nothing comes back where the dialog was closed without a choice.
          onClick={() => choose.mutate({ workspace }, { onSuccess: (chosen) => chosen && onFile(chosen) })}
        >
          {t(file === undefined ? "csv.choose" : isGone && !people ? "csv.again" : "csv.another")}
        </Button>
        {file && (
          <span className={classes.text} role="status">
            <strong>{file.name}</strong> · {t("csv.rows", { count: file.rows })}
            {!people && ` · ${t("csv.form", { encoding: file.encoding, delimiter: delimiter(file) })}`}
          </span>
        )}
      </Group>
      {!file && <p className={classes.text}>{t("csv.hint")}</p>}
      {file && people && <FormerPeopleText people={people} count={file.rows} />}
      {wrong !== undefined && (
        <p className={classes.wrong} role="alert">
          {wrong}
        </p>
      )}
      {retarget.error && <ErrorNotice error={retarget.error} />}
      {choose.error && choose.error.code !== "cancelled" && <ErrorNotice error={choose.error} />}
      {file && (
        <>
          {/* It was decided for the earlier batch. */}
          {!people && <HeaderChoice file={file} onHeader={onHeader} error={errorOf("header")} />}
          <Sample file={file} uses={uses} />
          <div className={sends.pair}>
            <Select
              label={t("csv.to")}
              description={t("csv.toHint")}
              placeholder={t("map.choose")}
              withAsterisk
              required
              allowDeselect={false}
              searchable={file.columns.length > 8}
              data-field="to"
              data={file.columns}
              value={to === "" ? null : to}
              onChange={(column) => onChange({ to: column ?? "" })}
              error={errorOf("to")}
            />
            <Select
              label={t("csv.name")}
              description={t("csv.nameHint")}
              placeholder={t("csv.noName")}
              clearable
              clearButtonProps={{ "aria-label": t("csv.noName") }}
              searchable={file.columns.length > 8}
              data={file.columns}
              value={name === "" ? null : name}
              onChange={(column) => onChange({ name: column ?? "" })}
            />
          </div>
          <CountrySelect
            placeholder={countryPlaceholder}
            value={country}
            onChange={(next) => onChange({ country: next })}
          />
        </>
      )}
    </div>
  );
}

/** Cells of the first row that name it, and characters of each; its title has all. */
const MAX_CELLS = 4;
const MAX_CELL_LENGTH = 40;

interface HeaderChoiceProps extends Pick<CsvChoiceProps, "onHeader"> {
  file: CsvFile;
  error: string | undefined;
}

/** Whether the first row has names or is a recipient; in doubt the person is asked. */
function HeaderChoice({ file, onHeader, error }: HeaderChoiceProps) {
  const { t } = useTranslation("batches");
  const set = useCommand("set_csv_header");
  const cells = file.firstRow.filter((cell) => cell.trim() !== "");
  const most = cells.slice(0, MAX_CELLS).map((cell) => cell.slice(0, MAX_CELL_LENGTH));
  const row = [...most, ...(cells.length > MAX_CELLS ? ["…"] : [])].join(" · ");
  return (
    <>
      <Radio.Group
        label={<span title={cells.join(" · ")}>{t("csv.firstRow", { row, nest: false })}</span>}
        withAsterisk
        required
        description={t(file.headerUncertain ? "csv.firstRowAsk" : "csv.firstRowHint")}
        data-field="header"
        size="sm"
        value={file.headerUncertain ? null : file.hasHeader ? "names" : "recipient"}
        onChange={(choice) =>
          set.mutate({ file: file.id, hasHeader: choice === "names" }, { onSuccess: (changed) => onHeader(changed) })
        }
        error={error}
      >
        <Group gap="0.5rem 1.5rem" mt="sm" mb="xs">
          <Radio value="names" label={t("csv.firstRowNames")} disabled={set.isPending} />
          <Radio value="recipient" label={t("csv.firstRowRecipient")} disabled={set.isPending} />
        </Group>
      </Radio.Group>
      {set.error && <ErrorNotice error={set.error} />}
    </>
  );
}

/** The first rows as they were read, and over each column what it fills. */
function Sample({ file: { columns, sample }, uses }: Pick<CsvChoiceProps, "uses"> & { file: CsvFile }) {
  const { t } = useTranslation("batches");
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many columns scroll, and must do so by keyboard
    <section className={classes.sample} tabIndex={0} aria-label={t("csv.sample")}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
                <span className={classes.use}>{uses.get(column)?.join(", ") ?? t("csv.unused")}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sample.map((row, line) => (
            <tr key={line}>
              {columns.map((column, index) => (
                <td key={column}>{row[index]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

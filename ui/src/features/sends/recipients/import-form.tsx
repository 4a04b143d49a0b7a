import { Autocomplete, Button, Group, Radio } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecipientFault, RecipientImport } from "@/bindings/app";
import { CountrySelect } from "@/components/country-select";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { RowFaults } from "@/components/row-faults";
import { useProblemText } from "@/components/send-problem-text";
import styles from "@/components/styles.module.css";
import { useWordedError } from "@/components/use-worded-error";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { sendsQueries } from "../queries";
import classes from "./recipients.module.css";

interface ImportFormProps {
  workspace: string;
  /** The file that was read. */
  id: string;
  /** Labels in use, as suggestions. */
  labels: string[];
  /** It starts or has failed. */
  onRunning: (isRunning: boolean) => void;
  onStored: (stored: RecipientImport) => void;
  onClose: () => void;
}

/** What an import would do by what is chosen, and its start. */
export function ImportForm({ workspace, id, labels, onRunning, onStored, onClose }: ImportFormProps) {
  const { t } = useTranslation("batches");
  const settings = useQuery(queries.workspace(workspace)).data?.settings;
  const [chosen, setChosen] = useState<string>();
  const [label, setLabel] = useState("");
  const [replaces, setReplaces] = useState(false);
  const country = chosen ?? settings?.defaultCountry ?? "";
  const request = useMemo(
    () => ({ workspace, id, country: country || null, label, replaces }),
    [workspace, id, country, label, replaces],
  );
  const [debounced] = useDebouncedValue(request, 150);
  const store = useCommand("store_recipient_import");
  // A file that is being imported or was is no longer there to be planned.
  const plan = useQuery({ ...sendsQueries.recipientImport(debounced), enabled: !store.isPending && !store.isSuccess });
  const worded = useWordedError();
  const failure = store.error ?? plan.error;
  const error = worded(failure?.error);
  const atLabel = error?.code === "invalidInput" && error.field === "label" ? error.message : undefined;
  const shown = plan.data;
  const isCurrent = debounced === request && !plan.isPlaceholderData && plan.isSuccess;
  const count = shown ? shown.added + shown.changed : 0;
  const change = (apply: () => void) => {
    store.reset();
    apply();
  };
  // What was stored can be taken back, even if this was closed meanwhile.
  const run = async () => {
    onRunning(true);
    const stored = await store.mutateAsync(request).catch(() => undefined);
    if (stored) onStored(stored);
    else onRunning(false);
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isCurrent && count > 0 && !store.isPending) void run();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      {shown ? <Outcome plan={shown} /> : !failure && <Loading rows={3} />}
      <CountrySelect
        placeholder={t("form.countryOfWorkspace", { ns: "sends" })}
        value={country}
        onChange={(next) => change(() => setChosen(next))}
      />
      <Autocomplete
        label={t("import.label")}
        description={t("import.labelHint")}
        data-field="label"
        autoComplete="off"
        data={labels}
        value={label}
        onChange={(next) => change(() => setLabel(next))}
        error={atLabel}
      />
      {shown && shown.known > 0 && (
        <Radio.Group
          label={t("import.known", { count: shown.known })}
          size="sm"
          value={replaces ? "replace" : "keep"}
          onChange={(choice) => change(() => setReplaces(choice === "replace"))}
        >
          <div className={classes.choices}>
            <Radio size="sm" value="keep" label={t("import.keep")} />
            <Radio size="sm" value="replace" label={t("import.replace")} />
          </div>
        </Radio.Group>
      )}
      {failure && atLabel === undefined && (
        <ErrorNotice error={failure} onRetry={store.error ? undefined : () => void plan.refetch()} />
      )}
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" disabled={store.isPending} onClick={onClose}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" loading={store.isPending} disabled={!isCurrent || count === 0}>
          {count === 0 && shown ? t("import.nothing") : t("import.go", { count })}
        </Button>
      </Group>
    </form>
  );
}

/** So many people, rows and columns. */
function Outcome({ plan }: { plan: RecipientImport }) {
  const { t } = useTranslation("batches");
  const { added, known, changed, repeated, faulty, columns, unreadColumns } = plan;
  return (
    <>
      <ul className={styles.bullets} aria-label={t("import.outcome")} aria-live="polite">
        <li>{t("import.added", { count: added })}</li>
        {known > 0 && (
          <li>
            {t("import.inBook", { count: known })} {t("import.changed", { count: changed })}
          </li>
        )}
        {repeated > 0 && <li>{t("import.repeated", { count: repeated })}</li>}
        {faulty > 0 && <li>{t("import.faulty", { count: faulty })}</li>}
      </ul>
      {faulty > 0 && <Faults plan={plan} />}
      <dl className={classes.columns} aria-label={t("import.columns")}>
        {columns.map(({ field, columns: names }) => (
          <div key={field}>
            <dt>{t(`import.field.${field}`)}</dt>
            <dd dir="auto">{names.join(" · ")}</dd>
          </div>
        ))}
        {unreadColumns.length > 0 && (
          <div>
            <dt>{t("import.unread")}</dt>
            <dd dir="auto">{unreadColumns.join(" · ")}</dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Faults({ plan: { faults, faulty } }: { plan: RecipientImport }) {
  const { t } = useTranslation("batches");
  const problemText = useProblemText();
  const reasonOf = ({ code, problem, limit }: RecipientFault) =>
    code === "number" ? problem && problemText(problem) : t(`import.fault.${code}`, { limit: limit ?? 0 });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: many rows scroll, and must do so by keyboard
    <div className={classes.faults} tabIndex={0}>
      <RowFaults
        label={t("import.faults")}
        faults={faults.map((fault) => ({ line: fault.line, value: fault.value, reason: reasonOf(fault) }))}
        total={faulty}
      />
    </div>
  );
}

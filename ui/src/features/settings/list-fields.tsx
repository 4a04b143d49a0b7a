import { ActionIcon, Autocomplete, Button, Switch, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";
import classes from "./settings.module.css";
import { type NumberDraft, newNumber, newWaba, type WabaDraft } from "./workspace-draft";

interface ListProps<Row> {
  rows: Row[];
  errorOf: (field: string) => string | undefined;
  onChange: (rows: Row[]) => void;
}

interface NumberFieldsProps extends ListProps<NumberDraft> {
  /** The WABAs of the form. */
  wabas: readonly WabaDraft[];
}

/** Numbers that send: the identifier in the path of a send, what people call it, its WABA, and where its webhooks come in. */
export function NumberFields({ rows, wabas, errorOf, onChange }: NumberFieldsProps) {
  const { t } = useTranslation("settings");
  const id = useId();
  const set = (index: number, change: Partial<NumberDraft>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  const known = [...new Set(wabas.map((waba) => waba.id.trim()).filter((waba) => waba !== ""))];
  return (
    <div role="group" aria-labelledby={id} className={classes.rows}>
      <div>
        <p className={classes.rowLabel} id={id}>
          {t("numbers.title")}
        </p>
        <p className={styles.small}>{t("numbers.hint")}</p>
        <p className={styles.small}>{t("numbers.untested")}</p>
      </div>
      {rows.map((row, index) => (
        <div key={index} className={classes.number}>
          <div className={classes.row}>
            <TextInput
              className={classes.grow}
              aria-label={t("numbers.id", { place: index + 1 })}
              placeholder="106540352242922"
              data-field={`numbers/${index}`}
              value={row.id}
              onChange={(event) => set(index, { id: event.currentTarget.value })}
              error={errorOf(`numbers/${index}`) ?? errorOf(`numbers/${index}/id`)}
            />
            <TextInput
              className={classes.grow}
              aria-label={t("numbers.label", { place: index + 1 })}
              placeholder={t("numbers.labelHint")}
              value={row.label}
              onChange={(event) => set(index, { label: event.currentTarget.value })}
              error={errorOf(`numbers/${index}/label`)}
            />
            <Remove
              label={t("numbers.remove", { place: index + 1 })}
              onClick={() => onChange(rows.filter((_, at) => at !== index))}
            />
          </div>
          <div className={classes.row}>
            <Autocomplete
              className={classes.grow}
              aria-label={t("numbers.waba", { place: index + 1 })}
              placeholder={t("numbers.wabaHint")}
              inputMode="numeric"
              data-field={`numbers/${index}/wabaId`}
              value={row.wabaId}
              onChange={(wabaId) => set(index, { wabaId })}
              data={known}
              renderOption={({ option }) => {
                const name = wabas.find((waba) => waba.id.trim() === option.value)?.name.trim();
                return name ? `${name} (${option.value})` : option.value;
              }}
              error={errorOf(`numbers/${index}/wabaId`)}
            />
            <Switch
              className={classes.grow}
              label={t("numbers.ownWebhook")}
              aria-label={t("numbers.ownWebhookOf", { place: index + 1 })}
              checked={row.ownWebhook}
              onChange={(event) => set(index, { ownWebhook: event.currentTarget.checked })}
            />
          </div>
        </div>
      ))}
      <Add label={t("numbers.add")} onClick={() => onChange([...rows, newNumber()])} />
    </div>
  );
}

interface WabaFieldsProps extends ListProps<WabaDraft> {
  /** WABAs of numbers that are not in the list. */
  unlisted: readonly string[];
}

/** Business accounts that templates are created in, and what people call them. */
export function WabaFields({ rows, unlisted, errorOf, onChange }: WabaFieldsProps) {
  const { t } = useTranslation("settings");
  const id = useId();
  const set = (index: number, change: Partial<WabaDraft>) =>
    onChange(rows.map((row, at) => (at === index ? { ...row, ...change } : row)));
  return (
    <div role="group" aria-labelledby={id} className={classes.rows}>
      <div>
        <p className={classes.rowLabel} id={id}>
          {t("wabas.title")}
        </p>
        <p className={styles.small}>{t("wabas.hint")}</p>
      </div>
      {rows.map((row, index) => (
        <div key={index} className={classes.row}>
          <TextInput
            className={classes.grow}
            aria-label={t("wabas.id", { place: index + 1 })}
            placeholder="102290129340398"
            inputMode="numeric"
            data-field={`wabaIds/${index}`}
            value={row.id}
            onChange={(event) => set(index, { id: event.currentTarget.value })}
            error={errorOf(`wabaIds/${index}`) ?? (index === 0 ? errorOf("wabaIds") : undefined)}
          />
          <TextInput
            className={classes.grow}
            aria-label={t("wabas.name", { place: index + 1 })}
            placeholder={t("wabas.nameHint")}
            value={row.name}
            onChange={(event) => set(index, { name: event.currentTarget.value })}
          />
          <Remove
            label={t("wabas.remove", { place: index + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== index))}
          />
        </div>
      ))}
      {unlisted.map((id) => (
        <Add
          key={id}
          label={t("wabas.addOfNumber", { id })}
          // A row left empty is taken first.
          onClick={() =>
            onChange([...rows.filter((row) => row.id.trim() !== "" || row.name.trim() !== ""), { id, name: "" }])
          }
        />
      ))}
      <Add label={t("wabas.add")} onClick={() => onChange([...rows, newWaba()])} />
    </div>
  );
}

function Remove({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <ActionIcon size={36} onClick={onClick} aria-label={label} title={label}>
      <IconTrash size={16} />
    </ActionIcon>
  );
}

function Add({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <div>
      <Button variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} onClick={onClick}>
        {label}
      </Button>
    </div>
  );
}

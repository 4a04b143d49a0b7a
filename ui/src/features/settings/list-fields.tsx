import { ActionIcon, Button, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { SendingNumber } from "@/bindings/app";
import classes from "./settings.module.css";

interface ListProps<Row> {
  rows: Row[];
  errorOf: (field: string) => string | undefined;
  onChange: (rows: Row[]) => void;
}

/** Numbers that send: the identifier in the path of a send, and what people call it. */
export function NumberFields({ rows, errorOf, onChange }: ListProps<SendingNumber>) {
  const { t } = useTranslation("settings");
  const id = useId();
  const set = (place: number, change: Partial<SendingNumber>) =>
    onChange(rows.map((row, at) => (at === place ? { ...row, ...change } : row)));
  return (
    <div role="group" aria-labelledby={id} className={classes.rows}>
      <div>
        <p className={classes.rowLabel} id={id}>
          {t("numbers.title")}
        </p>
        <p className={classes.rowHint}>{t("numbers.hint")}</p>
      </div>
      {rows.map((row, place) => (
        <div key={place} className={classes.row}>
          <TextInput
            className={classes.grow}
            aria-label={t("numbers.id", { place: place + 1 })}
            placeholder="106540352242922"
            data-field={`numbers/${place}`}
            value={row.id}
            onChange={(event) => set(place, { id: event.currentTarget.value })}
            error={errorOf(`numbers/${place}`) ?? errorOf(`numbers/${place}/id`)}
          />
          <TextInput
            className={classes.grow}
            aria-label={t("numbers.label", { place: place + 1 })}
            placeholder={t("numbers.labelHint")}
            value={row.label}
            onChange={(event) => set(place, { label: event.currentTarget.value })}
            error={errorOf(`numbers/${place}/label`)}
          />
          <Remove
            label={t("numbers.remove", { place: place + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== place))}
          />
        </div>
      ))}
      <Add label={t("numbers.add")} onClick={() => onChange([...rows, { id: "", label: "" }])} />
    </div>
  );
}

/** Business accounts that templates are created in. */
export function WabaFields({ rows, errorOf, onChange }: ListProps<string>) {
  const { t } = useTranslation("settings");
  const id = useId();
  return (
    <div role="group" aria-labelledby={id} className={classes.rows}>
      <div>
        <p className={classes.rowLabel} id={id}>
          {t("wabas.title")}
        </p>
        <p className={classes.rowHint}>{t("wabas.hint")}</p>
      </div>
      {rows.map((row, place) => (
        <div key={place} className={classes.row}>
          <TextInput
            className={classes.grow}
            aria-label={t("wabas.id", { place: place + 1 })}
            placeholder="102290129340398"
            inputMode="numeric"
            data-field={`wabaIds/${place}`}
            value={row}
            onChange={(event) => {
              const { value } = event.currentTarget;
              onChange(rows.map((old, at) => (at === place ? value : old)));
            }}
            error={errorOf(`wabaIds/${place}`) ?? (place === 0 ? errorOf("wabaIds") : undefined)}
          />
          <Remove
            label={t("wabas.remove", { place: place + 1 })}
            onClick={() => onChange(rows.filter((_, at) => at !== place))}
          />
        </div>
      ))}
      <Add label={t("wabas.add")} onClick={() => onChange([...rows, ""])} />
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

import { Button, Checkbox, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Recipient } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { nameOf } from "@/components/recipient-form";
import { SearchField } from "@/components/search-field";
import { VirtualList } from "@/components/virtual-list";
import { queries } from "@/lib/ipc/queries";
import { LabelFilter } from "../recipients/label-filter";
import classes from "./batches.module.css";

interface RecipientChoiceProps {
  workspace: string;
  chosen: readonly string[];
  onChange: (ids: string[]) => void;
  error: string | undefined;
}

/** Who of the address book gets the message: one by one, or everyone with a label. */
export function RecipientChoice({ workspace, chosen, onChange, error }: RecipientChoiceProps) {
  const { t } = useTranslation("batches");
  const [typed, setTyped] = useState("");
  const [label, setLabel] = useState<string>();
  const book = useQuery(queries.recipients({ workspace }));
  const ids = new Set(chosen);
  const shown = book.data?.rows.filter((row) => fits(row, typed, label));
  const count = useRef<HTMLSpanElement>(null);
  const missing = shown?.filter(({ id }) => !ids.has(id)) ?? [];
  const toggle = ({ id }: Recipient) =>
    onChange(ids.has(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  const choose = (next: string[]) => {
    onChange(next);
    // The button for it is gone with nothing left to do.
    count.current?.focus();
  };

  if (book.error) return <ErrorNotice error={book.error} onRetry={() => void book.refetch()} />;
  if (!book.data || !shown) return <Loading rows={3} />;
  if (book.data.rows.length === 0) {
    return (
      <p className={classes.text}>
        {t("people.none")} <Link to="/sends/recipients">{t("people.toRecipients")}</Link>
      </p>
    );
  }
  return (
    <div className={classes.people}>
      <Group gap="0.5rem 0.75rem">
        <SearchField
          className={classes.grow}
          value={typed}
          onChange={setTyped}
          label={t("recipients.search")}
          clearLabel={t("recipients.clearSearch")}
        />
        <LabelFilter labels={book.data.labels} value={label} onChange={setLabel} />
      </Group>
      <div className={classes.book} data-wrong={error !== undefined || undefined}>
        {shown.length === 0 ? (
          <p className={classes.text}>{t("recipients.nothing")}</p>
        ) : (
          <VirtualList
            key={`${typed} ${label}`}
            rows={shown}
            rowKey={({ id }) => id}
            rowHeight={40}
            label={t("people.label")}
            rowLabel={(row) => [row.name, row.formatted || row.number, ...row.labels].filter(Boolean).join(", ")}
            marked={({ id }) => ids.has(id)}
            onMark={toggle}
            onOpen={toggle}
          >
            {(row) => (
              <div className={classes.person}>
                <Checkbox
                  size="xs"
                  tabIndex={-1}
                  aria-label={t("marked.one", { name: nameOf(row) })}
                  checked={ids.has(row.id)}
                  onChange={() => toggle(row)}
                  onClick={(event) => event.stopPropagation()}
                />
                <span>{nameOf(row)}</span>
                {row.name !== "" && <span className={classes.quiet}>{row.formatted || row.number}</span>}
                <span className={classes.quiet}>{row.labels.join(", ")}</span>
              </div>
            )}
          </VirtualList>
        )}
      </div>
      {error !== undefined && (
        <p className={classes.wrong} role="alert">
          {error}
        </p>
      )}
      <Group gap="0.5rem 0.75rem">
        <span className={classes.text} role="status" data-field="ids" tabIndex={-1} ref={count}>
          {t("marked.count", { count: chosen.length })}
        </span>
        {missing.length > 0 && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => choose([...chosen, ...missing.map(({ id }) => id)])}
          >
            {label === undefined || typed !== ""
              ? t("marked.all", { count: shown.length })
              : t("people.allLabel", { count: shown.length, label })}
          </Button>
        )}
        {chosen.length > 0 && (
          <Button size="compact-sm" variant="subtle" onClick={() => choose([])}>
            {t("marked.none")}
          </Button>
        )}
      </Group>
    </div>
  );
}

function fits({ name, number, formatted, note, labels }: Recipient, typed: string, label: string | undefined): boolean {
  if (label !== undefined && !labels.includes(label)) return false;
  const words = typed.trim().toLowerCase();
  return words === "" || `${name} ${number} ${formatted} ${note}`.toLowerCase().includes(words);
}

// What the list of sends is narrowed to. It is kept in the address, so that a list can be come back to.

import { Autocomplete, Button, CloseButton, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SendQuery } from "@/bindings/app";
import { useStatusText } from "@/components/status-badge";
import { Toolbar } from "@/components/toolbar";
import { useWorkspace } from "@/lib/desk";
import { explicitNumber } from "@/lib/explicit-number";
import { sendsQueries } from "./queries";
import classes from "./sends.module.css";

export const route = getRouteApi("/sends");

type Search = ReturnType<typeof route.useSearch>;
const FILTERS = ["template", "recipient", "state"] as const;

export const isFiltered = (search: Search) => FILTERS.some((name) => search[name] !== undefined);

export function queryOf(workspace: string, search: Search): Omit<SendQuery, "after" | "limit"> {
  return {
    workspace,
    template: search.template ?? null,
    recipient: search.recipient ?? null,
    state: search.state ?? null,
  };
}

/** States of a send in the order in which they come. The set is open; these are the ones known. */
const STATES = ["recorded", "accepted", "sent", "delivered", "read", "failed", "refused", "notSent", "unknown"];

export function SendFilters() {
  const { t } = useTranslation("sends");
  const status = useStatusText();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<Record<(typeof FILTERS)[number], string | undefined>>) =>
    void navigate({
      search: (before) =>
        Object.fromEntries(
          Object.entries({ ...before, ...part }).filter(([, value]) => value !== undefined && value !== ""),
        ),
      replace: true,
    });
  const { state } = search;
  const newest = useInfiniteQuery(sendsQueries.sends({ workspace: useWorkspace().id })).data?.pages[0]?.rows ?? [];
  const states = state === undefined || STATES.includes(state) ? STATES : [...STATES, state];
  return (
    <Toolbar
      below={
        state === "failed" && (
          <p className={classes.quiet}>
            {t("filter.failedOnly", { refused: status("refused"), notSent: status("notSent") })}
          </p>
        )
      }
    >
      <ValueFilter
        label={t("filter.template")}
        value={search.template ?? ""}
        known={newest.map(({ templateName }) => templateName).filter((name) => name !== "")}
        onChange={(template) => change({ template })}
      />
      <ValueFilter
        label={t("filter.recipient")}
        value={search.recipient ?? ""}
        known={newest.map(({ recipient }) => explicitNumber(recipient))}
        onChange={(recipient) => change({ recipient })}
      />
      <Select
        aria-label={t("filter.state")}
        placeholder={t("filter.anyState")}
        clearable
        clearButtonProps={{ "aria-label": t("filter.anyState") }}
        w={180}
        value={state ?? null}
        onChange={(next) => change({ state: next ?? undefined })}
        data={states.map((value) => ({ value, label: status(value) }))}
      />
      {isFiltered(search) && (
        <Button
          variant="subtle"
          onClick={() => change({ template: undefined, recipient: undefined, state: undefined })}
        >
          {t("filter.removeAll")}
        </Button>
      )}
    </Toolbar>
  );
}

interface ValueFilterProps {
  label: string;
  value: string;
  /** Values of the newest sends. */
  known: readonly string[];
  onChange: (value: string) => void;
}

/** Debounce of the filter, in milliseconds. */
const TYPING_PAUSE = 200;

/** A part of a value, which counts while it is typed. */
function ValueFilter({ label, value, known, onChange }: ValueFilterProps) {
  const { t } = useTranslation("sends");
  const [typed, setTyped] = useState(value);
  const [synced, setSynced] = useState(value);
  if (value !== synced) {
    // The address was changed elsewhere: by "remove all", or by "back".
    setSynced(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const send = useEffectEvent((next: string) => {
    if (next !== value) onChange(next);
  });
  useEffect(() => {
    const next = typed.trim();
    const timer = setTimeout(() => send(next), next === "" ? 0 : TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <Autocomplete
      className={classes.filter}
      aria-label={label}
      placeholder={label}
      spellCheck={false}
      data={[...new Set(known)]}
      limit={12}
      value={typed}
      onChange={setTyped}
      rightSection={
        typed === "" ? null : (
          <CloseButton size="sm" aria-label={t("filter.remove", { name: label })} onClick={() => setTyped("")} />
        )
      }
    />
  );
}

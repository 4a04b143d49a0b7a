import { CloseButton, Select, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Facet, Facets, TemplateQuery } from "@/bindings/app";
import { useCategoryText, useStatusText } from "@/components/status-badge";
import classes from "./templates.module.css";

const route = getRouteApi("/templates");

type Search = ReturnType<typeof route.useSearch>;
type Query = Omit<TemplateQuery, "after" | "limit">;

export function everyTemplate(workspace: string): Query {
  return { workspace, archived: false, sort: "newest" };
}

/** What the address asks for. */
export function queryOf(workspace: string, search: Search): Query {
  return {
    workspace,
    search: search.q ?? null,
    status: search.status ?? null,
    category: search.category ?? null,
    language: search.language ?? null,
    waba: search.waba ?? null,
    archived: search.archived === "all" ? null : search.archived === "only",
    sort: search.sort ?? "newest",
  };
}

export function isFiltered({ q, status, category, language, waba, archived }: Search): boolean {
  return Boolean(q ?? status ?? category ?? language ?? waba ?? archived);
}

/** Time after the last key before the list is asked again, in milliseconds. */
const TYPING_PAUSE = 80;

interface FiltersProps {
  facets: Facets | undefined;
  /** Moves on to the list. */
  onLeave: () => void;
}

export function Filters({ facets, onLeave }: FiltersProps) {
  const { t } = useTranslation("templates");
  const search = route.useSearch();
  const navigate = useNavigate();
  const statusText = useStatusText();
  const categoryText = useCategoryText();
  const change = (part: Partial<Search>) =>
    void navigate({ to: "/templates", search: (before) => clean({ ...before, ...part }), replace: true });

  return (
    <search className={classes.filters}>
      <SearchField value={search.q ?? ""} onChange={(q) => change({ q })} onLeave={onLeave} />
      <Filter
        label={t("filter.status")}
        value={search.status}
        facets={facets?.statuses}
        text={statusText}
        onChange={(status) => change({ status })}
      />
      <Filter
        label={t("filter.category")}
        value={search.category}
        facets={facets?.categories}
        text={categoryText}
        onChange={(category) => change({ category })}
      />
      <Filter
        label={t("filter.language")}
        value={search.language}
        facets={facets?.languages}
        onChange={(language) => change({ language })}
      />
      <Filter
        label={t("filter.waba")}
        value={search.waba}
        facets={facets?.wabas}
        onChange={(waba) => change({ waba })}
      />
      <Select
        className={classes.filter}
        aria-label={t("filter.archived")}
        allowDeselect={false}
        value={search.archived ?? "active"}
        onChange={(value) => change({ archived: value === "only" || value === "all" ? value : undefined })}
        data={[
          { value: "active", label: t("archived.active") },
          { value: "only", label: t("archived.only", { count: facets?.archived ?? 0 }) },
          { value: "all", label: t("archived.all") },
        ]}
      />
      <Select
        className={classes.sort}
        aria-label={t("sort.label")}
        allowDeselect={false}
        value={search.sort ?? "newest"}
        onChange={(value) => change({ sort: value === "name" ? "name" : undefined })}
        data={[
          { value: "newest", label: t("sort.newest") },
          { value: "name", label: t("sort.name") },
        ]}
      />
    </search>
  );
}

/** Leaves out what is not asked for, so that equal questions have equal addresses. */
function clean(search: Partial<Search>): Search {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ""));
}

interface SearchFieldProps {
  value: string;
  onChange: (value: string) => void;
  onLeave: () => void;
}

function SearchField({ value, onChange, onLeave }: SearchFieldProps) {
  const { t } = useTranslation("templates");
  const [typed, setTyped] = useState(value);
  const [seen, setSeen] = useState(value);
  if (value !== seen) {
    // The address was changed elsewhere: by the palette, or by "back".
    setSeen(value);
    if (value !== typed.trim()) setTyped(value);
  }
  const send = useEffectEvent((words: string) => {
    if (words !== value) onChange(words);
  });
  useEffect(() => {
    const timer = setTimeout(() => send(typed.trim()), TYPING_PAUSE);
    return () => clearTimeout(timer);
  }, [typed]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      onLeave();
    }
    if (event.key === "Escape") setTyped("");
  };

  return (
    <TextInput
      className={classes.search}
      type="search"
      aria-label={t("search")}
      placeholder={t("search")}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={onKeyDown}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      rightSection={
        typed === "" ? null : <CloseButton size="sm" aria-label={t("clearSearch")} onClick={() => setTyped("")} />
      }
    />
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  facets: Facet[] | undefined;
  text?: (value: string) => string;
  onChange: (value: string | undefined) => void;
}

function Filter({ label, value, facets = [], text = (word) => word, onChange }: FilterProps) {
  const known = value === undefined || facets.some((facet) => facet.value === value);
  const data = [
    ...facets
      .filter((facet) => facet.value !== "")
      .map((facet) => ({ value: facet.value, label: `${text(facet.value)} (${facet.count})` })),
    // A value that no template has any longer stays visible while it is asked for.
    ...(known || value === undefined ? [] : [{ value, label: `${text(value)} (0)` }]),
  ];
  return (
    <Select
      className={classes.filter}
      aria-label={label}
      placeholder={label}
      clearable
      searchable={data.length > 8}
      data-active={value !== undefined || undefined}
      comboboxProps={{ width: "max-content", position: "bottom-start", shadow: "md" }}
      clearButtonProps={{ "aria-label": `${label} ×` }}
      data={data}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
    />
  );
}

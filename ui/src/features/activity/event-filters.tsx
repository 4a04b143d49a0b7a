import { Autocomplete, Button, Group, Popover, Select, TextInput } from "@mantine/core";
import { IconFilter, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { KINDS, useEventStatusText, useKindText } from "@/components/event-kinds";
import { localTime } from "@/components/instant";
import { SearchField } from "@/components/search-field";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { readTime, writeTime } from "@/lib/local-time";
import classes from "./activity.module.css";
import { FILTERS, type FilterName, route, withFilters } from "./filter";

type Values = Partial<Record<FilterName, string | undefined>>;

/** How the filters of the list are read and set. */
export function useFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (values: Values) => void navigate({ search: (before) => withFilters(before, values), replace: true });
  return { search, change };
}

/** Words to be found; the address follows what is typed. */
export function EventSearch() {
  const { t } = useTranslation("activity");
  const { search, change } = useFilters();
  return (
    <SearchField
      value={search.q ?? ""}
      onChange={(q) => change({ q })}
      label={t("search")}
      clearLabel={t("clearSearch")}
    />
  );
}

/** What an event may report: of messages, and of templates. The set is open; these are the ones known. */
const MESSAGE_STATUSES = ["sent", "delivered", "read", "failed", "deleted", "warning"];
const TEMPLATE_STATUSES = [
  "APPROVED",
  "PENDING",
  "IN_APPEAL",
  "REJECTED",
  "FLAGGED",
  "PAUSED",
  "DISABLED",
  "REINSTATED",
  "LOCKED",
  "ARCHIVED",
  "PENDING_DELETION",
  "DELETED",
];

/** The kind at hand, everything else in a form of its own. */
export function FilterFields() {
  const { t } = useTranslation("activity");
  const { search, change } = useFilters();
  const kindText = useKindText();
  return (
    <>
      <Select
        aria-label={t("kindFilter")}
        placeholder={t("allKinds")}
        clearable
        clearButtonProps={{ "aria-label": t("allKinds") }}
        w={215}
        value={search.kind ?? null}
        onChange={(kind) => change({ kind: kind ?? undefined })}
        comboboxProps={{ width: "max-content", position: "bottom-start", shadow: "md" }}
        data={withValue(
          KINDS.map((value) => ({ value, label: kindText(value) })),
          search.kind,
        )}
      />
      <FilterForm key={FILTERS.map((name) => search[name] ?? "").join("\n")} />
    </>
  );
}

function FilterForm() {
  const { t } = useTranslation("activity");
  const { search, change } = useFilters();
  const statusText = useEventStatusText();
  const workspace = useQuery(queries.workspace(useWorkspace().id));
  const [opened, setOpened] = useState(false);
  const [values, setValues] = useState<Values>(search);
  const set = (part: Values) => setValues((before) => ({ ...before, ...part }));
  const wrong = (name: "from" | "to") =>
    values[name] && readTime(values[name]) === undefined ? t("filter.timeWrong") : undefined;
  const [from, to] = [readTime(values.from), readTime(values.to)];
  const reversed = from !== undefined && to !== undefined && from > to;
  const numbers = workspace.data?.settings.numbers ?? [];

  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (wrong("from") || wrong("to") || reversed) return;
    setOpened(false);
    const { status, number, template, contact } = values;
    change({
      status,
      number: number?.trim(),
      template: template?.trim(),
      contact: contact?.trim(),
      from: values.from?.trim().replace(" ", "T"),
      to: values.to?.trim().replace(" ", "T"),
    });
  };
  const since = (hours: number) => set({ from: writeTime(Date.now() - hours * 3_600_000), to: "" });

  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" shadow="md" width={440} trapFocus returnFocus>
      <Popover.Target>
        <Button
          h={36}
          variant="default"
          leftSection={<IconFilter size={15} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {t("filter.open")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={apply} className={styles.stack}>
          <Select
            label={t("filter.status")}
            placeholder={t("filter.any")}
            clearable
            searchable
            clearButtonProps={{ "aria-label": t("filter.remove", { name: t("filter.status") }) }}
            comboboxProps={{ withinPortal: false }}
            value={values.status ?? null}
            onChange={(status) => set({ status: status ?? undefined })}
            data={[
              { group: t("filter.messages"), items: MESSAGE_STATUSES.map(named) },
              { group: t("filter.templates"), items: TEMPLATE_STATUSES.map(named) },
              ...other(values.status).map((value) => ({ group: t("filter.other"), items: [named(value)] })),
            ]}
          />
          <Autocomplete
            label={t("filter.number")}
            placeholder={t("filter.any")}
            comboboxProps={{ withinPortal: false }}
            value={values.number ?? ""}
            onChange={(number) => set({ number })}
            data={[...new Set(numbers.map(({ id }) => id))]}
            renderOption={({ option }) => {
              const label = numbers.find(({ id }) => id === option.value)?.label;
              return label ? `${label} (${option.value})` : option.value;
            }}
          />
          <TextInput
            label={t("filter.template")}
            placeholder="summer_sale_2026"
            spellCheck={false}
            value={values.template ?? ""}
            onChange={(event) => set({ template: event.currentTarget.value })}
          />
          <TextInput
            label={t("filter.contact")}
            placeholder="5511990001111"
            inputMode="tel"
            value={values.contact ?? ""}
            onChange={(event) => set({ contact: event.currentTarget.value })}
          />
          <div className={classes.times}>
            <TextInput
              type="datetime-local"
              label={t("filter.from")}
              placeholder="2026-11-20 14:30"
              value={values.from ?? ""}
              onChange={(event) => set({ from: event.currentTarget.value })}
              error={wrong("from")}
            />
            <TextInput
              type="datetime-local"
              label={t("filter.to")}
              placeholder="2026-11-20 14:30"
              value={values.to ?? ""}
              onChange={(event) => set({ to: event.currentTarget.value })}
              error={wrong("to") ?? (reversed ? t("filter.reversed") : undefined)}
            />
          </div>
          <Group gap={4}>
            {([1, 24, 168] as const).map((hours) => (
              <Button key={hours} size="compact-xs" variant="default" onClick={() => since(hours)}>
                {t(`filter.last.${hours}`)}
              </Button>
            ))}
          </Group>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setOpened(false)}>
              {t("cancel", { ns: "common" })}
            </Button>
            <Button type="submit">{t("filter.apply")}</Button>
          </Group>
        </form>
      </Popover.Dropdown>
    </Popover>
  );

  function named(value: string) {
    return { value, label: statusText(value) };
  }
}

const other = (status: string | undefined) =>
  status === undefined || MESSAGE_STATUSES.includes(status) || TEMPLATE_STATUSES.includes(status) ? [] : [status];

/** A value of the address that the list does not know stays visible. */
function withValue<Option extends { value: string; label: string }>(options: Option[], value: string | undefined) {
  return value === undefined || options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value }];
}

/** The filters in force, each with its own way to take it away. */
export function FilterChips() {
  const { t } = useTranslation("activity");
  const { search, change } = useFilters();
  const text = useChipText();
  const inForce = FILTERS.filter((name) => search[name] !== undefined);
  if (inForce.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={t("filter.inForce")}>
      {inForce.map((name) => (
        <li key={name}>
          <Button
            size="compact-xs"
            variant="light"
            radius="xl"
            fw={500}
            rightSection={<IconX size={12} aria-hidden />}
            aria-label={t("filter.removeValue", { name: t(`filter.${name}`), value: text(name, search[name] ?? "") })}
            onClick={() => change({ [name]: undefined })}
          >
            <span className={classes.chip}>
              {t(`filter.${name}`)}: {text(name, search[name] ?? "")}
            </span>
          </Button>
        </li>
      ))}
      {inForce.length > 1 && (
        <li>
          <Button
            size="compact-xs"
            variant="subtle"
            onClick={() => change(Object.fromEntries(FILTERS.map((name) => [name, undefined])))}
          >
            {t("filter.removeAll")}
          </Button>
        </li>
      )}
    </ul>
  );
}

function useChipText(): (name: FilterName, value: string) => string {
  const { t, i18n } = useTranslation("activity");
  const kindText = useKindText();
  const statusText = useEventStatusText();
  const workspace = useQuery(queries.workspace(useWorkspace().id));
  return (name, value) => {
    if (name === "kind") return kindText(value);
    if (name === "status") return statusText(value);
    if (name === "number") return workspace.data?.settings.numbers.find(({ id }) => id === value)?.label || value;
    if (name === "from" || name === "to") {
      const at = readTime(value);
      if (at === undefined) return t("filter.timeIgnored", { value });
      const day = localTime(at, i18n.language);
      const time = new Intl.DateTimeFormat(i18n.language, { timeStyle: "short" }).format(at);
      return day === time ? time : `${day}, ${time}`;
    }
    return value;
  };
}

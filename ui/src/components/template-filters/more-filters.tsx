import { Button, MultiSelect, Popover, Select, Switch } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Facets } from "@/bindings/app";
import { PopoverOnDemand } from "@/components/on-demand";
import {
  type FilterKey,
  LISTS,
  type ListKey,
  readLastSent,
  type TemplateFilter,
  valuesOf,
  writeLastSent,
  writeValues,
} from "@/lib/template-filter";
import { withChosen } from "./facet-filter";
import { useFacetText } from "./facet-text";
import classes from "./template-filters.module.css";

/** Filters that have no place in the bar itself. */
const LISTED = ["waba", "business", "type", "quality", "header"] as const satisfies readonly ListKey[];
/** Days of "last sent" that are offered. */
const DAYS = [7, 30, 90, 365];

interface MoreFiltersProps {
  filter: TemplateFilter;
  facets: Facets | undefined;
  without: readonly FilterKey[];
  onChange: (part: TemplateFilter) => void;
}

export function MoreFilters({ filter, facets, without, onChange }: MoreFiltersProps) {
  const { t } = useTranslation("filters");
  const text = useFacetText();
  const set =
    LISTED.filter((key) => !without.includes(key) && filter[key] !== undefined).length +
    (["carousel", "changed", "samples", "overdue", "risk", "sent", "archived"] as const).filter(
      (key) => filter[key] !== undefined,
    ).length;
  const yesNo = (key: "carousel" | "changed", count: number | undefined) => (
    <Select
      size="xs"
      label={t(`filter.${key}`)}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
      value={filter[key] ?? ""}
      onChange={(value) => onChange({ [key]: value ?? "" })}
      data={[
        { value: "", label: t("any") },
        { value: "yes", label: t(`${key}.yes`, { count: count ?? 0 }) },
        { value: "no", label: t(`${key}.no`) },
      ]}
    />
  );
  const sent = readLastSent(filter.sent);
  const offered = [
    ...DAYS.map((within) => ({ within })),
    ...[0, ...DAYS].map((notFor) => ({ notFor })),
    ...(sent ? [sent] : []),
  ].map((one) => ({ value: writeLastSent(one), label: sentText(t, one) }));

  return (
    <PopoverOnDemand
      position="bottom-end"
      shadow="md"
      width={460}
      target={
        <Button
          h={36}
          variant="default"
          className={classes.facet}
          data-active={set > 0 || undefined}
          leftSection={<IconFilter size={15} aria-hidden />}
        >
          {t("filters")}
          {set > 0 && (
            <span className={classes.number} aria-hidden>
              {set}
            </span>
          )}
        </Button>
      }
    >
      {() => (
        <Popover.Dropdown className={classes.more}>
          {LISTED.filter((key) => !without.includes(key)).map((key) => (
            <MultiSelect
              key={key}
              size="xs"
              label={t(`filter.${key}`)}
              placeholder={filter[key] === undefined ? t("any") : undefined}
              searchable
              clearable
              clearButtonProps={{ "aria-label": t("remove", { filter: t(`filter.${key}`) }) }}
              nothingFoundMessage={t("noValue")}
              hidePickedOptions={false}
              comboboxProps={{ withinPortal: false }}
              // The first of them has the focus when the filters open, and would cover the next.
              openOnFocus={false}
              // An empty value would mean "no filter".
              value={valuesOf(filter[key]).map((value) => `=${value}`)}
              onChange={(values) => onChange({ [key]: writeValues(values.map((value) => value.slice(1))) })}
              data={withChosen(facets?.[LISTS[key]] ?? [], valuesOf(filter[key])).map(({ value, count }) => ({
                value: `=${value}`,
                label: `${text(key, value)} (${count})`,
              }))}
            />
          ))}
          <Select
            size="xs"
            label={t("filter.sent")}
            allowDeselect={false}
            comboboxProps={{ withinPortal: false }}
            value={sent ? writeLastSent(sent) : ""}
            onChange={(value) => onChange({ sent: value ?? "" })}
            data={[{ value: "", label: t("any") }, ...new Map(offered.map((one) => [one.value, one])).values()]}
          />
          {yesNo("carousel", facets?.carousels)}
          {yesNo("changed", facets?.categoryChanged)}
          {!without.includes("archived") && (
            <Select
              size="xs"
              label={t("filter.archived")}
              allowDeselect={false}
              comboboxProps={{ withinPortal: false }}
              value={filter.archived ?? ""}
              onChange={(value) => onChange({ archived: value ?? "" })}
              data={[
                { value: "", label: t("archived.none") },
                { value: "only", label: t("archived.only", { count: facets?.archived ?? 0 }) },
                { value: "all", label: t("archived.all") },
              ]}
            />
          )}
          <Switch
            className={classes.switch}
            size="xs"
            label={t("hideSamples", { count: facets?.samples ?? 0 })}
            checked={filter.samples === "no"}
            onChange={(event) => onChange({ samples: event.currentTarget.checked ? "no" : "" })}
          />
          <Switch
            className={classes.switch}
            size="xs"
            label={t("overdue")}
            checked={filter.overdue === "yes"}
            onChange={(event) => onChange({ overdue: event.currentTarget.checked ? "yes" : "" })}
          />
          <Switch
            className={classes.switch}
            size="xs"
            label={t("risk")}
            checked={filter.risk === "yes"}
            // Some of them are archived already.
            onChange={(event) =>
              onChange(event.currentTarget.checked ? { risk: "yes", archived: "all" } : { risk: "" })
            }
          />
        </Popover.Dropdown>
      )}
    </PopoverOnDemand>
  );
}

type Translate = ReturnType<typeof useTranslation<"filters">>["t"];

/** Words for the time of the last send. */
export function sentText(t: Translate, sent: NonNullable<ReturnType<typeof readLastSent>>): string {
  if ("within" in sent) return t("sent.within", { count: sent.within });
  return sent.notFor === 0 ? t("sent.never") : t("sent.notFor", { count: sent.notFor });
}

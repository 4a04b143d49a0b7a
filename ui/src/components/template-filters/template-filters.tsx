import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Facets } from "@/bindings/app";
import { SearchField } from "@/components/search-field";
import { Toolbar } from "@/components/toolbar";
import {
  cleanFilter,
  type FilterKey,
  holdsFilter,
  LISTS,
  type ListKey,
  readFilter,
  type TemplateFilter,
  valuesOf,
  writeValues,
} from "@/lib/template-filter";
import { FacetFilter } from "./facet-filter";
import { useFacetText } from "./facet-text";
import { FilterChips, hasChips } from "./filter-chips";
import { MoreFilters } from "./more-filters";
import classes from "./template-filters.module.css";
import { ViewsMenu } from "./views-menu";

/** The filters that are used most, in the bar itself. */
const IN_BAR = ["status", "category", "language"] as const satisfies readonly ListKey[];
/** With several accounts, theirs is one of them. */
const WITH_ACCOUNTS = [...IN_BAR, "waba"] as const satisfies readonly ListKey[];

interface TemplateFiltersProps {
  /** Whose saved views are offered: `templates`, `review` or `matrix`. */
  screen: string;
  filter: TemplateFilter;
  facets: Facets | undefined;
  onChange: (filter: TemplateFilter) => void;
  /** Filters that the screen shows in another way. */
  without?: readonly FilterKey[];
  /** Moves on to what is listed, with the arrow down. */
  onLeave?: () => void;
  /** Further controls at the end of the bar. */
  children?: ReactNode;
  /** Further controls below the bar. */
  below?: ReactNode;
}

/** Narrows a list of templates: search, filters, what is set, and saved views. */
export function TemplateFilters(props: TemplateFiltersProps) {
  const { screen, filter, facets, onChange, without = [], onLeave, children, below } = props;
  const { t } = useTranslation("filters");
  const text = useFacetText();
  const change = (part: TemplateFilter) => onChange(cleanFilter({ ...filter, ...part }));
  const { sort, incomplete, different, lanes } = filter;
  const inBar: readonly ListKey[] = hasSeveralAccounts(facets) ? WITH_ACCOUNTS : IN_BAR;
  return (
    <Toolbar
      below={
        <>
          {hasChips(filter) && (
            <FilterChips
              screen={screen}
              filter={filter}
              onChange={change}
              onClear={() => onChange(cleanFilter({ sort, incomplete, different, lanes }))}
            />
          )}
          {below}
        </>
      }
    >
      <SearchField
        className={classes.search}
        value={filter.q ?? ""}
        onChange={(q) => change({ q })}
        label={t("search")}
        clearLabel={t("clearSearch")}
        onLeave={onLeave}
        terms={{
          isIn: holdsFilter,
          hint: t("enterApplies"),
          take: (typed, how) => {
            const read = readFilter(typed);
            // What somebody shared is the whole filter; what is typed comes on top of the one that is set.
            if (how === "pasted") onChange(cleanFilter(read));
            else change({ q: "", ...read });
            return read.q ?? "";
          },
        }}
      />
      {inBar
        .filter((key) => !without.includes(key))
        .map((key) => (
          <FacetFilter
            key={key}
            label={t(`filter.${key}`)}
            facets={facets?.[LISTS[key]] ?? []}
            values={valuesOf(filter[key])}
            text={(value) => text(key, value)}
            onChange={(values) => change({ [key]: writeValues(values) })}
          />
        ))}
      <MoreFilters filter={filter} facets={facets} without={[...without, ...inBar]} onChange={change} />
      <ViewsMenu screen={screen} filter={filter} onApply={(next) => onChange(cleanFilter(next))} />
      {children}
    </Toolbar>
  );
}

/** Whether the listed templates are in several WABAs. */
export function hasSeveralAccounts(facets: Facets | undefined): boolean {
  return (facets?.wabas.filter(({ value }) => value !== "").length ?? 0) > 1;
}

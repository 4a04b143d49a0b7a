import { Button, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useKeyText } from "./funnel-table";
import { insightsQueries } from "./queries";
import { type Days, isReversed, route, useChange } from "./range";
import { SenderFilter, senderOf } from "./sender-filter";

const FILTERS = ["template", "language", "category"] as const;

/** Which messages are counted. Only what was sent in these days can be chosen. */
export function MessageFilters({ workspace, days }: { workspace: string; days: Days }) {
  const { t } = useTranslation("insights");
  const search = route.useSearch();
  const change = useChange();
  const { waba, number } = senderOf(search);
  const filtered = waba !== null || number !== null || FILTERS.some((name) => search[name] !== undefined);
  return (
    <>
      {FILTERS.map((by) => (
        <Filter
          key={by}
          {...{ workspace, days, by }}
          value={search[by]}
          onChange={(value) => change({ [by]: value })}
        />
      ))}
      <SenderFilter workspace={workspace} />
      {filtered && (
        <Button
          h={36}
          variant="subtle"
          onClick={() =>
            change({
              template: undefined,
              language: undefined,
              category: undefined,
              waba: undefined,
              number: undefined,
            })
          }
        >
          {t("filter.removeAll")}
        </Button>
      )}
    </>
  );
}

interface FilterProps {
  workspace: string;
  days: Days;
  by: (typeof FILTERS)[number];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}

function Filter({ workspace, days, by, value, onChange }: FilterProps) {
  const { t } = useTranslation("insights");
  const name = useKeyText();
  const found = useQuery({
    ...insightsQueries.funnel({ workspace, ...days, by, limit: 200 }),
    enabled: !isReversed(days),
  });
  const known = (found.data?.rows ?? []).map(({ key }) => key).filter((key) => key !== "");
  // The filter of the address stays visible even if nothing matches.
  const values = value === undefined || known.includes(value) ? known : [value, ...known];
  return (
    <Select
      aria-label={t(`filter.${by}`)}
      placeholder={t(`filter.any.${by}`)}
      clearable
      searchable
      clearButtonProps={{ "aria-label": t("filter.remove", { name: t(`filter.${by}`) }) }}
      nothingFoundMessage={t("filter.nothing")}
      w={200}
      comboboxProps={{ width: "max-content", position: "bottom-start", shadow: "md" }}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      data={values.map((key) => ({ value: key, label: name(key, by) }))}
    />
  );
}

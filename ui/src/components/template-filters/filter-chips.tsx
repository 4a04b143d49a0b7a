import { Button, Group, Pill } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconBookmark, IconShare2 } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import {
  FILTER_KEYS,
  LIST_KEYS,
  type ListKey,
  readLastSent,
  type TemplateFilter,
  valuesOf,
  writeFilter,
  writeValues,
} from "@/lib/template-filter";
import { useFacetText } from "./facet-text";
import { sentText } from "./more-filters";
import { SaveViewForm } from "./save-view-form";
import classes from "./template-filters.module.css";

interface FilterChipsProps {
  screen: string;
  filter: TemplateFilter;
  onChange: (part: TemplateFilter) => void;
  onClear: () => void;
}

/** What is set, each with a way to take it back, and what can be done with the whole of it. */
export function FilterChips({ screen, filter, onChange, onClear }: FilterChipsProps) {
  const { t } = useTranslation("filters");
  const facetText = useFacetText();
  const listed = LIST_KEYS.flatMap((key) => valuesOf(filter[key]).map((value) => ({ key, value })));
  const sent = readLastSent(filter.sent);
  const without = (key: ListKey, value: string) =>
    onChange({ [key]: writeValues(valuesOf(filter[key]).filter((other) => other !== value)) });
  const text = writeFilter(filter);

  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => notifications.show({ message: t("copied", { filter: text }) }),
      // Without a clipboard the text can still be taken by hand.
      () => modals.open({ title: t("copyFilter"), children: <code>{text}</code> }),
    );
  };
  const save = () => modals.open({ title: t("view.save"), children: <SaveViewForm screen={screen} filter={text} /> });

  return (
    <Group justify="space-between" gap="0.375rem 0.75rem">
      <ul className={classes.chipList} aria-label={t("set")}>
        {filter.q !== undefined && <Chip text={`“${filter.q}”`} onRemove={() => onChange({ q: "" })} />}
        {listed.map(({ key, value }) => (
          <Chip
            key={`${key} ${value}`}
            text={`${t(`filter.${key}`)}: ${facetText(key, value)}`}
            onRemove={() => without(key, value)}
          />
        ))}
        {filter.carousel !== undefined && (
          <Chip
            text={`${t("filter.carousel")}: ${t(filter.carousel === "yes" ? "yes" : "no")}`}
            onRemove={() => onChange({ carousel: "" })}
          />
        )}
        {filter.changed !== undefined && (
          <Chip
            text={`${t("filter.changed")}: ${t(filter.changed === "yes" ? "yes" : "no")}`}
            onRemove={() => onChange({ changed: "" })}
          />
        )}
        {filter.samples !== undefined && (
          <Chip
            text={t(filter.samples === "yes" ? "samples.only" : "samples.hidden")}
            onRemove={() => onChange({ samples: "" })}
          />
        )}
        {filter.overdue !== undefined && <Chip text={t("overdue")} onRemove={() => onChange({ overdue: "" })} />}
        {filter.risk !== undefined && <Chip text={t("risk")} onRemove={() => onChange({ risk: "" })} />}
        {sent && <Chip text={`${t("filter.sent")}: ${sentText(t, sent)}`} onRemove={() => onChange({ sent: "" })} />}
        {filter.archived !== undefined && (
          <Chip
            text={t(filter.archived === "only" ? "archived.onlyChip" : "archived.all")}
            onRemove={() => onChange({ archived: "" })}
          />
        )}
      </ul>
      <span className={classes.chipActions}>
        <Button size="compact-xs" variant="subtle" leftSection={<IconBookmark size={14} aria-hidden />} onClick={save}>
          {t("view.saveAction")}
        </Button>
        <Button size="compact-xs" variant="subtle" leftSection={<IconShare2 size={14} aria-hidden />} onClick={copy}>
          {t("copyFilter")}
        </Button>
        <Button size="compact-xs" variant="subtle" color="gray" onClick={onClear}>
          {t("clear")}
        </Button>
      </span>
    </Group>
  );
}

/** Whether a filter shows chips. */
export function hasChips(filter: TemplateFilter): boolean {
  return filter.q !== undefined || FILTER_KEYS.some((key) => filter[key] !== undefined);
}

function Chip({ text, onRemove }: { text: ReactNode; onRemove: () => void }) {
  const { t } = useTranslation("filters");
  return (
    <li>
      <Pill
        withRemoveButton
        onRemove={onRemove}
        removeButtonProps={{ "aria-label": t("remove", { filter: text }), tabIndex: 0, "aria-hidden": false }}
      >
        {text}
      </Pill>
    </li>
  );
}

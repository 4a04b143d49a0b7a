import "@mantine/spotlight/styles.layer.css";

import { Kbd } from "@mantine/core";
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useWorkspace } from "@/lib/desk";
import { hasWords } from "@/lib/words";
import classes from "./command-palette.module.css";
import { paletteStore, selectRow } from "./palette";
import { usePaletteActions } from "./palette-actions";
import { useFound } from "./palette-found";

/** Maximum number of recent choices that are offered first. */
const MAX_RECENT = 5;

/** Ctrl/Cmd+K: finds screens, actions, settings, templates, batches and people. */
export function CommandPalette() {
  const { id } = useWorkspace();
  return <Palette key={id} />;
}

function Palette() {
  const { t } = useTranslation("shell");
  const [query, setQuery] = useState("");
  const words = query.trim();
  // Of this session and workspace only: nothing of what was found is stored.
  const [recent, setRecent] = useState<SpotlightActionData[]>([]);
  const { screens, views, actions } = usePaletteActions();
  const { templates, drafts, batches, people, help, searches, isPending } = useFound(words);

  const remembered = (action: SpotlightActionData): SpotlightActionData => ({
    ...action,
    onClick: (event) => {
      setRecent((before) => [action, ...before.filter(({ id }) => id !== action.id)].slice(0, MAX_RECENT));
      action.onClick?.(event);
    },
  });
  const fits = ({ label = "", keywords = "" }: SpotlightActionData) => hasWords(`${label} ${String(keywords)}`, words);
  const isEmpty = words === "";
  const recentIds = new Set(isEmpty ? recent.map(({ id }) => id) : []);
  const fresh = ({ id }: SpotlightActionData) => !recentIds.has(id);

  const groups: SpotlightActionGroupData[] = [
    { group: t("palette.recent"), actions: isEmpty ? recent : [] },
    { group: t("palette.goTo"), actions: (isEmpty ? screens : [...screens, ...views]).filter(fits).filter(fresh) },
    { group: t("palette.actions"), actions: actions.filter(fits).filter(fresh) },
    { group: t("palette.templates"), actions: templates },
    { group: t("palette.drafts"), actions: drafts },
    { group: t("view.batches", { ns: "batches" }), actions: batches },
    { group: t("palette.people"), actions: people },
    { group: t("rail.help"), actions: help },
    { group: t("palette.search"), actions: searches },
  ]
    .filter((group) => group.actions.length > 0)
    .map((group) => ({ ...group, actions: group.actions.map(remembered) }));

  const hasMoved = useRef(false);
  // After every rendering: rows may have come or gone before the selected one. Not as a layout effect, because the list
  // states its id in an effect.
  useEffect(() => {
    if (!isEmpty) hasMoved.current = selectRow(hasMoved.current);
  });

  return (
    <Spotlight
      store={paletteStore}
      actions={groups}
      attributes={{ content: { "aria-label": t("palette.open") } }}
      query={query}
      onQueryChange={(next) => {
        hasMoved.current = false;
        setQuery(next);
      }}
      // Narrowed above: what the host finds matches by a text that the label does not show.
      filter={(_, all) => all}
      nothingFound={isPending ? undefined : t("palette.nothing")}
      // The registry of shortcuts opens it, also from fields.
      shortcut={null}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        rightSection: <Kbd size="xs">Esc</Kbd>,
        rightSectionWidth: 48,
        placeholder: t("palette.placeholder"),
        "aria-label": t("palette.open"),
        onKeyDown: ({ key }) => {
          if (key === "ArrowDown" || key === "ArrowUp") hasMoved.current = true;
        },
      }}
      // Its field stays where it is while results come and go.
      centered={false}
      yOffset="10vh"
      maxHeight="min(28rem, 75vh)"
      scrollable
      scrollAreaProps={{ type: "auto" }}
      classNames={{ actionsList: classes.list }}
      highlightQuery
      lockScroll={false}
    />
  );
}

import { Kbd } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "@/components/search-field";
import { SHORTCUTS, type ShortcutGroup, type ShortcutName, useKeyNames } from "@/lib/shortcuts";
import { hasWords } from "./palette-words";
import classes from "./shortcut-sheet.module.css";

const GROUPS = ["app", "lists", "review", "composer"] as const satisfies readonly ShortcutGroup[];
const NAMES = Object.keys(SHORTCUTS) as ShortcutName[];

/** Shows all shortcuts. */
export function useShowShortcuts(): () => void {
  const { t } = useTranslation("shell");
  return () => modals.open({ modalId: "shortcuts", title: t("shortcuts.title"), children: <ShortcutSheet /> });
}

function ShortcutSheet() {
  const { t } = useTranslation("shell");
  const keyNames = useKeyNames();
  const [query, setQuery] = useState("");
  const groups = GROUPS.map((group) => ({
    group,
    names: NAMES.filter((name) => {
      const keys = SHORTCUTS[name].keys.flatMap(keyNames).join(" ");
      return SHORTCUTS[name].group === group && hasWords(`${t(`shortcuts.name.${name}`)} ${keys}`, query);
    }),
  })).filter(({ names }) => names.length > 0);
  return (
    <div className={classes.sheet}>
      <SearchField
        value={query}
        onChange={setQuery}
        label={t("shortcuts.search")}
        clearLabel={t("clearSearch", { ns: "filters" })}
      />
      {groups.length === 0 && <p role="status">{t("palette.nothing")}</p>}
      {groups.map(({ group, names }) => (
        <section key={group} aria-label={t(`shortcuts.group.${group}`)}>
          <h3>{t(`shortcuts.group.${group}`)}</h3>
          <dl className={classes.list}>
            {names.map((name) => (
              <div key={name}>
                <dt>{t(`shortcuts.name.${name}`)}</dt>
                <dd>
                  {SHORTCUTS[name].keys.map((combination) => (
                    <span key={combination} className={classes.keys}>
                      {keyNames(combination).map((key) => (
                        <Kbd key={key} size="xs">
                          {key}
                        </Kbd>
                      ))}
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

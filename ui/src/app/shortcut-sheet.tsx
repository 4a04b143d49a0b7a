import { ActionIcon, Button, Group, Kbd, Tooltip } from "@mantine/core";
import { IconKeyboard, IconRestore } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { SearchField } from "@/components/search-field";
import { usePreferences } from "@/lib/desk";
import {
  combinationOf,
  type KeyRefusal,
  refusalOf,
  SHORTCUT_NAMES,
  SHORTCUTS,
  type ShortcutGroup,
  type ShortcutName,
  useKeyNames,
  useShortcutKeys,
} from "@/lib/shortcuts";
import { hasWords } from "@/lib/words";
import classes from "./shortcut-sheet.module.css";

const GROUPS = ["app", "lists", "review", "composer"] as const satisfies readonly ShortcutGroup[];

/** All shortcuts, which can be changed. */
export function ShortcutSheet() {
  const { t } = useTranslation("shell");
  const keyNames = useKeyNames();
  const keysOf = useShortcutKeys();
  const [{ shortcuts: chosen }, change] = usePreferences();
  const [query, setQuery] = useState("");
  const [recording, setRecording] = useState<ShortcutName>();
  // What was changed, for those who do not see it.
  const [said, setSaid] = useState("");
  const groups = GROUPS.map((group) => ({
    group,
    names: SHORTCUT_NAMES.filter((name) => {
      const keys = keysOf(name).flatMap(keyNames).join(" ");
      return SHORTCUTS[name].group === group && hasWords(`${t(`shortcuts.name.${name}`)} ${keys}`, query);
    }),
  })).filter(({ names }) => names.length > 0);

  // The focus goes back to where the change began.
  const finish = (name: ShortcutName) => {
    setRecording(undefined);
    requestAnimationFrame(() => document.getElementById(changeId(name))?.focus());
  };
  const store = (name: ShortcutName, keys: string) => {
    const isDefault = (SHORTCUTS[name].keys as readonly string[]).includes(keys);
    const { [name]: _, ...others } = chosen;
    change({ shortcuts: isDefault ? others : { ...others, [name]: keys } });
    setSaid(t("shortcuts.changed", { name: t(`shortcuts.name.${name}`), keys: keyNames(keys).join("+") }));
    finish(name);
  };
  const reset = (name: ShortcutName) => store(name, SHORTCUTS[name].keys[0]);
  const resetAll = () => {
    change({ shortcuts: {} });
    setSaid(t("shortcuts.allReset"));
  };

  return (
    <div className={classes.sheet}>
      <Group gap="0.5rem" wrap="nowrap">
        <div className={classes.search}>
          <SearchField
            value={query}
            onChange={setQuery}
            label={t("shortcuts.search")}
            clearLabel={t("clearSearch", { ns: "filters" })}
            autoFocus
          />
        </div>
        <Button variant="default" onClick={resetAll} disabled={Object.keys(chosen).length === 0}>
          {t("shortcuts.resetAll")}
        </Button>
      </Group>
      <p role="status" className={classes.said}>
        {said}
      </p>
      {groups.length === 0 && <p role="status">{t("palette.nothing")}</p>}
      {groups.map(({ group, names }) => (
        <section key={group} aria-label={t(`shortcuts.group.${group}`)}>
          <h3>{t(`shortcuts.group.${group}`)}</h3>
          <ul className={classes.list}>
            {names.map((name) => (
              <li key={name}>
                <span className={classes.name}>{t(`shortcuts.name.${name}`)}</span>
                {recording === name ? (
                  <Recorder
                    name={name}
                    refusal={(keys) => refusalOf(name, keys, chosen)}
                    onKeys={(keys) => store(name, keys)}
                    onCancel={() => finish(name)}
                    onLeave={() => setRecording(undefined)}
                  />
                ) : (
                  <Keys keys={keysOf(name)} />
                )}
                <Actions
                  name={name}
                  isChanged={name in chosen}
                  onChange={() => setRecording(name)}
                  onReset={() => reset(name)}
                />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Keys({ keys }: { keys: readonly string[] }) {
  const keyNames = useKeyNames();
  return (
    <span className={classes.combinations}>
      {keys.map((combination) => (
        <span key={combination} className={classes.keys}>
          {keyNames(combination).map((key) => (
            <Kbd key={key} size="xs">
              {key}
            </Kbd>
          ))}
        </span>
      ))}
    </span>
  );
}

const changeId = (name: ShortcutName) => `change-keys-${name}`;

interface ActionsProps {
  name: ShortcutName;
  isChanged: boolean;
  onChange: () => void;
  onReset: () => void;
}

function Actions({ name, isChanged, onChange, onReset }: ActionsProps) {
  const { t } = useTranslation("shell");
  if (!SHORTCUTS[name].changeable) return <span className={classes.actions} />;
  const shown = t(`shortcuts.name.${name}`);
  const change = t("shortcuts.change", { name: shown });
  const reset = t("shortcuts.reset", { name: shown });
  return (
    <span className={classes.actions}>
      {isChanged && (
        <Tooltip label={reset}>
          <ActionIcon variant="subtle" onClick={onReset} aria-label={reset}>
            <IconRestore size={16} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
      <Tooltip label={change}>
        <ActionIcon id={changeId(name)} variant="subtle" onClick={onChange} aria-label={change}>
          <IconKeyboard size={16} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}

interface RecorderProps {
  name: ShortcutName;
  refusal: (keys: string) => KeyRefusal | undefined;
  onKeys: (keys: string) => void;
  onCancel: () => void;
  /** Called when the focus goes elsewhere. */
  onLeave: () => void;
}

/** Takes the keys that are pressed next. Escape leaves them as they were. */
function Recorder({ name, refusal, onKeys, onCancel, onLeave }: RecorderProps) {
  const { t } = useTranslation("shell");
  const keyNames = useKeyNames();
  const ref = useRef<HTMLButtonElement>(null);
  const [refused, setRefused] = useState<{ keys: string; why: KeyRefusal }>();
  useEffect(() => ref.current?.focus(), []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Escape") {
      onCancel();
      return;
    }
    const keys = combinationOf(event);
    if (keys === undefined) return;
    const why = refusal(keys);
    if (why) setRefused({ keys: keyNames(keys).join("+"), why });
    else onKeys(keys);
  };
  return (
    <span className={classes.recorder}>
      <button
        ref={ref}
        type="button"
        className={classes.waiting}
        aria-label={t("shortcuts.pressFor", { name: t(`shortcuts.name.${name}`) })}
        // Escape belongs to it, and not to the dialog.
        data-mantine-stop-propagation
        onKeyDown={onKeyDown}
        onBlur={onLeave}
      >
        {t("shortcuts.press")}
      </button>
      {refused && (
        <span role="alert" className={classes.refused}>
          {refused.why.reason === "taken"
            ? t("shortcuts.refused.taken", { keys: refused.keys, name: t(`shortcuts.name.${refused.why.by}`) })
            : t(`shortcuts.refused.${refused.why.reason}`, { keys: refused.keys })}
        </span>
      )}
    </span>
  );
}

import { type ReactNode, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";
import { useButtonEdits } from "../carousel/in-step";
import classes from "../composer.module.css";
import { counterAt, NotesAt } from "../field";
import { useKeysOf } from "../list-keys";
import { partsOf, useComponent, useParts } from "../parts-context";
import { Reorder } from "../reorder";
import { Section } from "../section";
import { useComposer } from "../store";
import { AddButton } from "./add-button";
import { ButtonRow } from "./button-row";
import { addButton, type ButtonKind, buttonsOf, moveButtonTo, removeButton } from "./buttons";
import { useKindName } from "./kinds";

/** Time in milliseconds after which a menu that closes has given the focus back. */
const MENU_CLOSED = 60;

/** The buttons of the message or of a card, below `children`. */
export function ButtonsSection({ children }: { children?: ReactNode }) {
  const { t } = useTranslation("composer");
  const { card } = useParts();
  const { arrange } = useButtonEdits();
  const { component, path } = useComponent("BUTTONS");
  const buttons = component ? buttonsOf([component]) : [];
  const keys = useKeysOf((state) => buttonsOf(partsOf(state, card)));
  const nameOf = useKindName();
  const full = useComposer((state) => {
    const counter = counterAt(state, `${path}/buttons`);
    return counter && counter.used >= counter.limit ? counter.limit : undefined;
  });
  const section = useRef<HTMLDivElement>(null);

  const keysNow = useRef(keys);
  useEffect(() => {
    keysNow.current = keys;
  });

  /** The focus goes into the new button. */
  const add = (kind: ButtonKind) => {
    const before = new Set(keysNow.current);
    arrange((parts) => addButton(parts, kind));
    setTimeout(() => {
      const index = keysNow.current.findIndex((key) => !before.has(key));
      if (index < 0) return;
      const row = section.current?.querySelectorAll("li")[index];
      const field = row?.querySelector<HTMLElement>("input, textarea");
      (field ?? row?.querySelector<HTMLElement>("button"))?.focus({ preventScroll: true });
      row?.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }, MENU_CLOSED);
  };

  /** The focus goes to the button that takes its place, else to where a new one is added. */
  const remove = (index: number) => {
    arrange((parts) => removeButton(parts, index));
    requestAnimationFrame(() => {
      const rest = section.current?.querySelectorAll<HTMLElement>("[data-action=remove]") ?? [];
      const next = rest[Math.min(index, rest.length - 1)];
      (next ?? section.current?.querySelector<HTMLElement>("[data-action=add]"))?.focus();
    });
  };

  return (
    <div ref={section}>
      <Section title={t("buttons")} aside={<AddButton full={full} onAdd={add} />}>
        <NotesAt paths={[path, `${path}/buttons`]} />
        {children}
        {buttons.length === 0 ? (
          <p className={styles.small}>{t("noButtons")}</p>
        ) : (
          <Reorder
            keys={keys}
            direction="vertical"
            nameOf={(index) => nameOf(buttons[index], index)}
            onMove={(from, to) => arrange((parts) => moveButtonTo(parts, from, to))}
          >
            <ol className={classes.buttons} aria-label={t("buttons")}>
              {buttons.map((button, index) => (
                <ButtonRow
                  key={keys[index] ?? index}
                  id={keys[index] ?? String(index)}
                  button={button}
                  index={index}
                  count={buttons.length}
                  path={`${path}/buttons/${index}`}
                  onRemove={remove}
                />
              ))}
            </ol>
          </Reorder>
        )}
      </Section>
    </div>
  );
}

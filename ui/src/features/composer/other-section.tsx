import { Button } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { JsonView } from "@/components/json-view";
import styles from "@/components/styles.module.css";
import { stringifyJson } from "@/lib/exact-json";
import classes from "./composer.module.css";
import { NotesAt } from "./field";
import { type Kind, otherComponents, removeComponent } from "./parts";
import { usePartList, useParts } from "./parts-context";
import { Section } from "./section";

/** What a card has fields for. */
const CARD_FIELDS: Kind[] = ["HEADER", "BODY", "BUTTONS"];

/** Components without fields here. They are kept and submitted exactly as they are. */
export function OtherSection() {
  const { t } = useTranslation("composer");
  const { base, card, change } = useParts();
  const parts = usePartList();
  const others = card === undefined ? otherComponents(parts) : otherComponents(parts, CARD_FIELDS);
  if (others.length === 0) return null;
  return (
    <Section title={t("other")}>
      <p className={styles.small}>{t("keptAsIs")}</p>
      {others.map(({ position, component }) => (
        <details key={position} className={classes.other}>
          <summary>{component.type ?? "?"}</summary>
          <NotesAt paths={[`${base}/${position}`, `${base}/${position}/`]} />
          <JsonView text={stringifyJson(component)} label={component.type ?? "?"} maxHeight="16rem" />
          <Button
            mt="xs"
            size="compact-xs"
            variant="subtle"
            color="red"
            leftSection={<IconTrash size={14} />}
            onClick={() => change((before) => removeComponent(before, position))}
          >
            {t("removeComponent", { type: component.type ?? "?" })}
          </Button>
        </details>
      ))}
    </Section>
  );
}

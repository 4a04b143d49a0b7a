import { Accordion, Badge } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { Fragment, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SendProblem } from "@/bindings/model";
import classes from "./fields.module.css";
import type { PartGroup } from "./parts";

interface CardFieldsProps {
  cards: readonly [card: number, PartGroup[]][];
  /** Cards that are unfolded, by their positions as text. */
  opened: string[];
  onOpen: (opened: string[]) => void;
  /** The person turned to a card. */
  onCard: (card: number) => void;
  errors: readonly SendProblem[];
  /** Whether missing values are shown as errors. */
  loud: boolean;
  /** The fields of one section. */
  children: (group: PartGroup) => ReactNode;
}

/** The cards of a carousel, each with its sections and a mark where something is missing. */
export function CardFields({ cards, opened, onOpen, onCard, errors, loud, children }: CardFieldsProps) {
  const { t } = useTranslation("sends");
  const open = (next: string[]) => {
    const added = next.find((card) => !opened.includes(card));
    if (added !== undefined) onCard(Number(added));
    onOpen(next);
  };
  return (
    <Accordion
      multiple
      variant="separated"
      chevronPosition="left"
      transitionDuration={0}
      order={2}
      value={opened}
      onChange={open}
    >
      {cards.map(([card, groups]) => {
        const ids = new Set(groups.flatMap(({ parts }) => parts.map(({ id }) => id)));
        const asked = new Set(errors.filter(({ field }) => ids.has(field)).map(({ field }) => field)).size;
        return (
          <Accordion.Item key={card} value={String(card)}>
            <Accordion.Control>
              <span className={classes.cardHead}>
                {t("form.cardName", { place: card + 1 })}
                {asked > 0 && (
                  <Badge
                    size="sm"
                    variant="light"
                    color={loud ? "red" : "gray"}
                    leftSection={<IconAlertCircle size={12} aria-hidden />}
                  >
                    {t("form.missingHere", { count: asked })}
                  </Badge>
                )}
              </span>
            </Accordion.Control>
            <Accordion.Panel onFocus={() => onCard(card)}>
              {opened.includes(String(card)) && (
                <div className={classes.cardGroups}>
                  {groups.map((group) => (
                    <Fragment key={group.key}>{children(group)}</Fragment>
                  ))}
                </div>
              )}
            </Accordion.Panel>
          </Accordion.Item>
        );
      })}
    </Accordion>
  );
}

import { Button, Group, Switch } from "@mantine/core";
import { IconArrowLeft, IconArrowRight, IconCopy, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";
import { BodySection } from "../body-section";
import { ButtonsSection } from "../buttons/buttons-section";
import { NotesAt } from "../field";
import { HeaderFile } from "../header-section";
import { ListAction } from "../list-action";
import { OtherSection } from "../other-section";
import { MEDIA } from "../parts";
import { useComponent, useFile, useParts } from "../parts-context";
import { useComposer } from "../store";
import { PANEL } from "./card-strip";
import { alike, cardsOf, duplicateCard, moveCard, removeCard, spreadButtons } from "./cards";
import classes from "./carousel.module.css";
import { useCarousel } from "./use-carousel";

interface CardEditorProps {
  card: number;
  count: number;
  /** JSON pointer to the card. */
  path: string;
  /** Whether labels and addresses are the same on every card. */
  same: boolean;
  onSame: (same: boolean) => void;
}

/** The fields of one card. */
export function CardEditor({ card, count, path, same, onSame }: CardEditorProps) {
  const { t } = useTranslation("composer");
  const name = t("cards.card", { number: card + 1 });
  const hasBody = useComponent("BODY").component !== undefined;
  return (
    <div role="tabpanel" id={PANEL} aria-labelledby={`${PANEL}-${card}`} className={classes.panel}>
      <div role="group" aria-label={name} className={classes.card}>
        <CardHead card={card} count={count} />
        <NotesAt paths={[path, `${path}/components`]} />
        <CardFile />
        {hasBody && <BodySection />}
        <ButtonsSection>
          <ButtonsInStep card={card} count={count} same={same} onSame={onSame} />
        </ButtonsSection>
        <OtherSection />
      </div>
    </div>
  );
}

function CardHead({ card, count }: { card: number; count: number }) {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const number = card + 1;
  return (
    <div className={classes.head}>
      <h3 aria-live="polite">{t("cards.place", { number, count })}</h3>
      <ListAction
        label={t("cards.moveLeft", { number })}
        Icon={IconArrowLeft}
        disabled={card === 0}
        onClick={() => update((draft) => moveCard(draft, card, card - 1), card - 1)}
      />
      <ListAction
        label={t("cards.moveRight", { number })}
        Icon={IconArrowRight}
        disabled={number === count}
        onClick={() => update((draft) => moveCard(draft, card, card + 1), card + 1)}
      />
      <ListAction
        label={t("cards.duplicate", { number })}
        Icon={IconCopy}
        onClick={() => update((draft) => duplicateCard(draft, card), card + 1)}
      />
      <ListAction
        label={t("cards.remove", { number })}
        Icon={IconTrash}
        onClick={() => update((draft) => removeCard(draft, card), Math.max(0, Math.min(card, count - 2)))}
      />
    </div>
  );
}

function CardFile() {
  const { t } = useTranslation("composer");
  const { component: header, path } = useComponent("HEADER");
  const { setFile } = useParts();
  const file = useFile();
  if (header && MEDIA.has(header.format)) return <HeaderFile format={header.format} />;
  return (
    <>
      <NotesAt paths={[path, `${path}/`]} />
      {header?.format === "PRODUCT" && <p className={styles.small}>{t("cards.productHint")}</p>}
      {file && (
        <p className={styles.small}>
          {t("cards.fileUnused", { name: file.name })}{" "}
          <Button size="compact-xs" variant="subtle" onClick={() => setFile(null)}>
            {t("removeFile")}
          </Button>
        </p>
      )}
    </>
  );
}

/** How the buttons of this card go with those of the others. */
function ButtonsInStep({ card, count, same, onSame }: Omit<CardEditorProps, "path">) {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const cardsAlike = useComposer(({ draft }) => alike(cardsOf(draft)));
  if (count < 2) return null;
  if (cardsAlike) {
    return (
      <Switch
        size="xs"
        label={t("cards.sameButtons")}
        checked={same}
        onChange={(event) => onSame(event.currentTarget.checked)}
      />
    );
  }
  return (
    <Group gap="0.5rem" fz="xs">
      <span>{t("cards.unlike")}</span>
      <Button size="compact-xs" variant="light" onClick={() => update((draft) => spreadButtons(draft, card))}>
        {t("cards.spread")}
      </Button>
    </Group>
  );
}

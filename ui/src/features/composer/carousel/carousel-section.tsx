import { Button, Select, Switch } from "@mantine/core";
import { IconCards, IconPlus, IconTrash, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";
import classes from "../composer.module.css";
import { NotesAt, useField } from "../field";
import { componentOf, indexOfKind } from "../parts";
import { CardParts } from "../parts-context";
import { Section } from "../section";
import { type ComposerState, useComposer, useDerived } from "../store";
import { CardEditor } from "./card-editor";
import { CardStrip } from "./card-strip";
import {
  addCard,
  addCarousel,
  cardsOf,
  hasCarousel,
  removeCarousel,
  removeStrayFiles,
  sameButtons,
  setCardBodies,
  setCardFormat,
  sharedFormat,
  spreadButtons,
  strayFiles,
} from "./cards";
import cards from "./carousel.module.css";
import { SameButtons } from "./in-step";
import { useCarousel } from "./use-carousel";

const FORMATS = ["IMAGE", "VIDEO", "PRODUCT"] as const;
const cardsIn = ({ draft }: ComposerState) => cardsOf(draft);

/** Cards beside each other below the message, each with a picture, a text and buttons. */
export function CarouselSection() {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const there = useComposer(({ draft }) => hasCarousel(draft));
  const fields = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(false);
  useEffect(() => {
    if (!added || !there) return;
    fields.current?.querySelector<HTMLElement>("input")?.focus();
    setAdded(false);
  }, [added, there]);
  return (
    <Section
      title={t("cards.title")}
      aside={
        there ? (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconTrash size={14} />}
            onClick={() => update(removeCarousel)}
          >
            {t("cards.removeAll")}
          </Button>
        ) : (
          <Button
            size="compact-xs"
            variant="light"
            leftSection={<IconCards size={14} />}
            onClick={() => {
              update(addCarousel, 0);
              setAdded(true);
            }}
          >
            {t("cards.addAll")}
          </Button>
        )
      }
    >
      {there ? (
        <div ref={fields} className={cards.all}>
          <CarouselFields />
        </div>
      ) : (
        <p className={styles.small}>{t("cards.none")}</p>
      )}
      <StrayFiles />
    </Section>
  );
}

function CarouselFields() {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const index = useComposer(({ draft }) => indexOfKind(draft.template.components, "CAROUSEL"));
  const count = useComposer((state) => cardsIn(state).length);
  const open = useComposer((state) => Math.min(state.card, cardsIn(state).length - 1));
  const full = useComposer((state) =>
    Boolean(
      state.inspection?.findings.some(
        ({ code, values }) => code === "carousel.card_count" && cardsIn(state).length >= Number(values.max),
      ),
    ),
  );
  const [same, setSame] = useSameButtons();
  const path = `/components/${index}`;
  return (
    <SameButtons value={same}>
      <NotesAt paths={[path, `${path}/cards`]} />
      <div className={classes.pair}>
        <FormatField path={path} />
        <BodySwitch />
      </div>
      <CardStrip
        open={open}
        path={path}
        aside={
          <Button
            size="compact-sm"
            variant="light"
            leftSection={<IconPlus size={14} />}
            disabled={full}
            onClick={() => update((draft) => addCard(draft, same), count)}
          >
            {t("cards.add")}
          </Button>
        }
      />
      {open >= 0 && (
        <CardParts card={open}>
          <CardEditor card={open} count={count} path={`${path}/cards/${open}`} same={same} onSame={setSame} />
        </CardParts>
      )}
    </SameButtons>
  );
}

/**
 * Whether labels and addresses are the same on every card: at first where they are. Once they differ the switch stays off,
 * or typing would one day make them equal by chance and then change all cards.
 */
function useSameButtons(): [boolean, (same: boolean) => void] {
  const { update } = useCarousel();
  const equal = useDerived(cardsIn, sameButtons);
  const open = useComposer((state) => Math.min(state.card, cardsIn(state).length - 1));
  const [shared, setShared] = useState(equal);
  if (shared && !equal) setShared(false);
  const set = (same: boolean) => {
    if (same) update((draft) => spreadButtons(draft, open));
    setShared(same);
  };
  return [shared && equal, set];
}

/** The kind of header of all cards. */
function FormatField({ path }: { path: string }) {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const format = useDerived(cardsIn, sharedFormat);
  const field = useField(`${path}/cards/format`, { empty: false });
  const options = FORMATS.map((value) => ({ value: value as string, label: t(`cards.format.${value}`) }));
  const known = format === undefined || options.some(({ value }) => value === format);
  return (
    <Select
      {...field}
      label={t("cards.header")}
      allowDeselect={false}
      placeholder={t("cards.mixed")}
      data={known ? options : [...options, { value: format, label: format }]}
      value={format ?? null}
      onChange={(chosen) => chosen !== null && update((draft) => setCardFormat(draft, chosen))}
    />
  );
}

function BodySwitch() {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const bodies = useComposer(
    (state) => cardsIn(state).filter(({ components }) => componentOf(components, "BODY") !== undefined).length,
  );
  const count = useComposer((state) => cardsIn(state).length);
  return (
    <Switch
      className={cards.bodySwitch}
      label={t("cards.body")}
      description={bodies > 0 && bodies < count ? t("cards.bodySome", { bodies, count }) : undefined}
      checked={count > 0 && bodies === count}
      onChange={(event) => {
        const on = event.currentTarget.checked;
        update((draft) => setCardBodies(draft, on));
      }}
    />
  );
}

/** Files whose cards are gone would be sent with no place to go. */
function StrayFiles() {
  const { t } = useTranslation("composer");
  const { update } = useCarousel();
  const names = useComposer(({ draft }) =>
    strayFiles(draft)
      .map(({ name }) => name)
      .join(", "),
  );
  if (names === "") return null;
  return (
    <p className={styles.small}>
      {t("cards.strayFiles", { names })}{" "}
      <Button
        size="compact-xs"
        variant="subtle"
        leftSection={<IconX size={14} />}
        onClick={() => update(removeStrayFiles)}
      >
        {t("removeFile")}
      </Button>
    </p>
  );
}

import { notifications } from "@mantine/notifications";
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { call, onFileDrop } from "@/lib/ipc/client";
import { isAuthentication } from "./authentication";
import { setFilesFrom } from "./carousel/cards";
import classes from "./composer.module.css";
import { componentOf, formatOfFile, MEDIA, setHeaderFormat } from "./parts";
import { CardParts, useComponent, useParts } from "./parts-context";
import { type ComposerState, useComposer, useComposerStore } from "./store";

/**
 * A file dropped anywhere on the window becomes the header's file, and the header takes its kind. With a carousel, and no
 * file in the message's own header, it is for the card that is open.
 */
export function FileDrops() {
  const card = useComposer(cardForFile);
  const takesNone = useComposer(isAuthentication);
  if (takesNone) return null;
  if (card === undefined) return <Drops />;
  return (
    <CardParts card={card}>
      <Drops />
    </CardParts>
  );
}

function cardForFile({ draft, card }: ComposerState): number | undefined {
  const { components } = draft.template;
  const format = componentOf(components, "HEADER")?.format;
  if (format !== undefined && MEDIA.has(format)) return undefined;
  const cards = componentOf(components, "CAROUSEL")?.cards.length ?? 0;
  return cards === 0 ? undefined : Math.min(card, cards - 1);
}

function Drops() {
  const { t } = useTranslation("composer");
  const { card, changeWithFile, setFile } = useParts();
  const { component: header } = useComponent("HEADER");
  const store = useComposerStore();
  const [over, setOver] = useState(false);

  const take = useEffectEvent(async (paths: string[]) => {
    const [first] = paths;
    if (first === undefined) return;
    try {
      if (card !== undefined) {
        // Several files are for the open card and those after it.
        const files = await Promise.all(paths.map((path) => call("inspect_file", { path })));
        store.getState().update((draft) => setFilesFrom(draft, card, files));
        return;
      }
      const file = await call("inspect_file", { path: first });
      const format = formatOfFile(file.mime);
      if (header?.format === format) setFile(file);
      else changeWithFile((before) => setHeaderFormat(before, format), file);
    } catch (error) {
      notifications.show({ autoClose: false, withBorder: true, message: <ErrorNotice error={error} /> });
    }
  });

  useEffect(
    () =>
      onFileDrop((drop) => {
        setOver(drop.state === "over");
        if (drop.state === "dropped") void take(drop.paths);
      }),
    [],
  );

  return over ? (
    <div className={classes.drop} role="status">
      {card === undefined ? t("dropNow") : t("fields.dropOnCard", { card: card + 1 })}
    </div>
  ) : null;
}

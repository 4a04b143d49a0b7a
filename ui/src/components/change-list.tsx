import { Stack } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Change } from "@/bindings/model";
import styles from "@/components/styles.module.css";
import classes from "./change-list.module.css";
import { type Place, placeOf, useFieldText, useOwnerText } from "./template-place";

/** The differences of two versions of a template, by component, with removed and added words marked. */
export function ChangeList({ changes }: { changes: Change[] }) {
  const { t } = useTranslation("templates");
  const ownerText = useOwnerText();
  const fieldText = useFieldText();
  if (changes.length === 0) return <p className={styles.muted}>{t("change.none")}</p>;
  return (
    <Stack gap="0.625rem">
      {grouped(changes).map(({ key, entries }) => {
        const owner = entries[0] ? ownerText(entries[0].place) : "";
        const title = owner === "" ? t("place.template") : owner;
        return (
          <div key={key} role="group" aria-label={title} className={classes.group}>
            <p aria-hidden className={styles.label}>
              {title}
            </p>
            <dl>
              {entries.map(({ change, place }) => (
                <div key={change.path}>
                  <dt>{fieldText(place) || t("place.whole")}</dt>
                  <dd>
                    <Difference change={change} />
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        );
      })}
    </Stack>
  );
}

interface Entry {
  change: Change;
  place: Place;
}

/** Adjacent changes of the same component. */
function grouped(changes: Change[]): { key: string; entries: Entry[] }[] {
  const groups = new Map<string, Entry[]>();
  for (const change of changes) {
    const place = placeOf(change.path);
    const key = JSON.stringify(place.steps);
    const group = groups.get(key);
    if (group) group.push({ change, place });
    else groups.set(key, [{ change, place }]);
  }
  return [...groups].map(([key, entries]) => ({ key, entries }));
}

/** Placeholder in a request for a file that is uploaded with it. */
const UPLOAD_PENDING = "UPLOAD_PENDING";

function Difference({ change: { before, after, words } }: { change: Change }) {
  const { t } = useTranslation("templates");
  const shown = (text: string) => (text === UPLOAD_PENDING ? t("change.newFile") : text === "" ? "“”" : text);
  if (before == null || after == null) {
    return (
      <>
        {before != null && <del dir="auto">{shown(before)}</del>}
        {after != null && <ins dir="auto">{shown(after)}</ins>}
      </>
    );
  }
  // Words inside each other are read only where something between them stayed.
  if (!words.some(({ kind, text }) => kind === "same" && text.trim() !== "")) {
    return (
      <>
        <del dir="auto">{shown(before)}</del>
        <IconArrowRight size={14} role="img" aria-label={t("change.becomes")} className={classes.arrow} />
        <ins dir="auto">{shown(after)}</ins>
      </>
    );
  }
  return (
    <span dir="auto">
      {words.map(({ kind, text }, place) =>
        kind === "same" ? text : kind === "added" ? <ins key={place}>{text}</ins> : <del key={place}>{text}</del>,
      )}
    </span>
  );
}

import { Stack } from "@mantine/core";
import { IconArrowRight } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Change } from "@/bindings/model";
import styles from "@/components/styles.module.css";
import classes from "./change-list.module.css";
import { parsePath, type TemplatePath, useFieldText, useOwnerText } from "./template-path";

/** The differences of two versions of a template, by component, with removed and added words marked. */
export function ChangeList({ changes }: { changes: Change[] }) {
  const { t } = useTranslation("templates");
  const ownerText = useOwnerText();
  const fieldText = useFieldText();
  if (changes.length === 0) return <p className={styles.muted}>{t("change.none")}</p>;
  return (
    <Stack gap="0.625rem">
      {grouped(changes).map(({ key, entries }) => {
        const owner = entries[0] ? ownerText(entries[0].path) : "";
        const title = owner === "" ? t("place.template") : owner;
        return (
          <div key={key} role="group" aria-label={title} className={classes.group}>
            <p aria-hidden className={styles.label}>
              {title}
            </p>
            <dl>
              {entries.map(({ change, path }) => (
                <div key={change.path}>
                  <dt>{fieldText(path) || t("place.whole")}</dt>
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
  path: TemplatePath;
}

/** Adjacent changes of the same component. */
function grouped(changes: Change[]): { key: string; entries: Entry[] }[] {
  const groups = new Map<string, Entry[]>();
  for (const change of changes) {
    const path = parsePath(change.path);
    const key = JSON.stringify(path.steps);
    const group = groups.get(key);
    if (group) group.push({ change, path });
    else groups.set(key, [{ change, path }]);
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
      {words.map(({ kind, text }, index) =>
        kind === "same" ? text : kind === "added" ? <ins key={index}>{text}</ins> : <del key={index}>{text}</del>,
      )}
    </span>
  );
}

import { IconCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Finding } from "@/bindings/model";
import { placeOf, usePlaceText } from "@/components/finding-place";
import { FindingList } from "@/components/findings";
import { Panel } from "@/components/panel";
import { SamplePhone } from "@/components/phone/sample-phone";
import styles from "@/components/styles.module.css";
import { isFocusLost } from "@/lib/return-focus";
import classes from "./composer.module.css";
import { FileDrops } from "./file-drops";
import { foundIn } from "./found";
import { isBlank } from "./new-draft";
import { useFix } from "./rewrite";
import { SampleSwitch } from "./sample-switch";
import { useSender } from "./sender";
import { templateOf, useComposer, useDerived } from "./store";

const EMPTY_BUBBLE = { body: [], buttons: [], visible_buttons: 0, cards: [], right_to_left: false, unknown: [] };

/** The phone and everything that was found, beside the form. */
export function PreviewSide({ onJump }: { onJump: (path: string) => void }) {
  const { t } = useTranslation("composer");
  return (
    <Panel label={t("preview")} className={classes.side}>
      <SampleSwitch />
      <Preview />
      <FindingsPanel onJump={onJump} />
      <FileDrops />
    </Panel>
  );
}

function Preview() {
  const bubble = useComposer((state) => state.inspection?.bubble);
  const headerFile = useComposer((state) => state.draft.headerFile);
  const cardFiles = useComposer((state) => state.draft.cardFiles);
  const card = useComposer((state) => state.card);
  const sender = useSender();
  return (
    <div className={classes.phone}>
      <SamplePhone
        bubble={bubble ?? EMPTY_BUBBLE}
        sender={sender}
        media={headerFile}
        cardMedia={cardFiles}
        current={card}
      />
    </div>
  );
}

function FindingsPanel({ onJump }: { onJump: (path: string) => void }) {
  const { t } = useTranslation("composer");
  const { list } = useComposer(foundIn);
  const isTodo = useComposer(({ draft, attempted }) => !attempted && isBlank(draft));
  const places = [...new Set(list.map(placeOf))];
  const placeText = usePlaceText();
  // A key changes the template, but seldom a name.
  const names = useDerived(templateOf, (template) =>
    Object.fromEntries(places.map((place) => [place, placeText(place, template)])),
  );
  const fix = useFix();
  const isChecked = useComposer(({ inspection }) => inspection !== undefined);
  const section = useRef<HTMLElement>(null);
  const fixedAt = useRef<number>(undefined);
  // The button of a correction goes with its finding: the next finding takes the keyboard.
  useEffect(() => {
    if (fixedAt.current === undefined || !isFocusLost()) return;
    const items = section.current?.querySelectorAll("li") ?? [];
    const next = items[Math.min(fixedAt.current, list.length - 1)]?.querySelector("button");
    (next ?? section.current)?.focus({ preventScroll: true });
    fixedAt.current = undefined;
  }, [list]);
  const fixFrom = (finding: Finding) => {
    fixedAt.current = list.indexOf(finding);
    fix(finding);
  };
  return (
    <section ref={section} tabIndex={-1} className={styles.headed} aria-label={t("findings")}>
      <h2>{t("findings")}</h2>
      {list.length > 0 ? (
        <FindingList
          findings={list}
          label={t("findings")}
          onJump={(finding) => onJump(finding.path)}
          onFix={fixFrom}
          nameOf={(place) => names[place] ?? ""}
          isTodo={isTodo}
          numbered
        />
      ) : !isChecked ? (
        <p className={classes.clean}>{t("checking")}</p>
      ) : (
        <p className={classes.clean}>
          <IconCheck size={16} aria-hidden /> {t("noFindings")}
        </p>
      )}
    </section>
  );
}

import { Checkbox, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ImportStep } from "@/bindings/app";
import { ChangeList } from "@/components/change-list";
import { FindingList } from "@/components/findings";
import { SideBySide } from "@/components/side-by-side";
import { byteSize } from "@/lib/bytes";
import { ActionBadge } from "./action-badge";
import classes from "./import.module.css";

interface StepProps {
  step: ImportStep;
  wabaText: (waba: string) => string;
}

interface StepRowProps extends StepProps {
  isChosen: boolean;
  isChoosable: boolean;
  onChoose: (isChosen: boolean) => void;
}

/** What would happen with one file; all about it below, on demand. */
export function StepRow({ step, wabaText, isChosen, isChoosable, onChoose }: StepRowProps) {
  const { t } = useTranslation("import");
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const title = step.name === "" ? step.file : step.name;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <tr data-open={isOpen || undefined}>
        <td>
          <Checkbox
            size="xs"
            aria-label={t("select", { name: title, language: step.language })}
            disabled={!isChoosable}
            checked={isChosen}
            onChange={({ currentTarget }) => onChoose(currentTarget.checked)}
          />
        </td>
        <td>
          <UnstyledButton
            className={classes.name}
            aria-expanded={isOpen}
            aria-controls={isOpen ? details : undefined}
            onClick={() => setOpen(!isOpen)}
          >
            <Chevron size={14} aria-hidden />
            <span>{title}</span>
          </UnstyledButton>
        </td>
        <td className={classes.quiet}>{step.language}</td>
        <td>
          <ActionBadge action={step.action} />
        </td>
        <td className={classes.quiet}>
          <Summary step={step} wabaText={wabaText} />
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td id={details} colSpan={5} className={classes.opened}>
            <div className={classes.details}>
              <Details step={step} wabaText={wabaText} />
            </div>
          </td>
        </tr>
      )}
    </>
  );
}

/** In one line: why not, what differs, or where it is created. */
function Summary({ step, wabaText }: StepProps) {
  const { t } = useTranslation("import");
  const { action, reasons, changes, wabas, notes, findings, doubts } = step;
  if (action === "blocked") return reasons[0] ?? t("blocked");
  const parts = [
    doubts[0] ? t(`doubt.${doubts[0]}.short`) : "",
    action === "edit" ? t("differences", { count: changes.length }) : "",
    action === "create" && wabas.length > 0 ? t("createdIn", { wabas: wabas.map(wabaText).join(", ") }) : "",
    notes.length + findings.length > 0 ? t("remarks", { count: notes.length + findings.length }) : "",
  ];
  return parts.filter((part) => part !== "").join(" · ");
}

function Details({ step, wabaText }: StepProps) {
  const { t, i18n } = useTranslation("import");
  const { file, action, wabas, reasons, notes, findings, changes, before, after, media, doubts } = step;
  return (
    <>
      <Sentences title={t("reasons")} sentences={reasons} />
      <Sentences title={t("doubt.title")} sentences={doubts.map((doubt) => t(`doubt.${doubt}.text`))} />
      <Sentences title={t("notes")} sentences={notes} />
      {findings.length > 0 && (
        <section>
          <h2>{t("findings")}</h2>
          <FindingList findings={findings} label={t("findings")} />
        </section>
      )}
      {action === "edit" && (
        <section aria-label={t("changes")}>
          <h2>{t("changes")}</h2>
          <ChangeList changes={changes} />
        </section>
      )}
      {(before || after) && (
        <SideBySide
          sides={[
            ...(before ? [{ title: t("before"), bubble: before }] : []),
            ...(after ? [{ title: t(before ? "after" : "preview"), bubble: after }] : []),
          ]}
        />
      )}
      <dl className={classes.facts}>
        <div>
          <dt>{t("file")}</dt>
          <dd>
            <code>{file}</code>
          </dd>
        </div>
        {wabas.length > 0 && (
          <div>
            <dt>{t("wabas.short")}</dt>
            <dd>{wabas.map(wabaText).join(", ")}</dd>
          </div>
        )}
        {media.length > 0 && (
          <div>
            <dt>{t("media")}</dt>
            <dd>
              {media.map(({ name, size }) => (
                <div key={name}>
                  <code>{name}</code> <span className={classes.quiet}>{byteSize(size, i18n.language)}</span>
                </div>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

function Sentences({ title, sentences }: { title: string; sentences: string[] }) {
  if (sentences.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul className={classes.sentences}>
        {sentences.map((sentence, index) => (
          <li key={index}>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

import { Anchor, Button } from "@mantine/core";
import {
  IconAlertTriangle,
  IconBulb,
  IconCircleDashed,
  IconCircleX,
  IconWand,
  type TablerIcon,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Finding, Severity } from "@/bindings/model";
import { byteSize } from "@/lib/bytes";
import { useCommand } from "@/lib/ipc/mutations";
import { byPlace, placeOf } from "./finding-place";
import classes from "./findings.module.css";

const ICONS: Record<Severity, TablerIcon> = { error: IconCircleX, warning: IconAlertTriangle, hint: IconBulb };
const ORDER: Record<Severity, number> = { error: 0, warning: 1, hint: 2 };

/**
 * The sentence of a finding in the language of the window. English comes from the rule itself and is also used for rules
 * that are newer than the translations.
 */
export function useFindingText(): (finding: Finding) => string {
  const { t, i18n } = useTranslation("findings");
  const sentence = ({ code, values, message }: Finding) => {
    const key = `rules.${code}`;
    if (!i18n.exists(key, { ns: "findings" })) return message;
    // Braces around a name would be taken for a value of the sentence itself.
    const braced = Object.entries(values).map(([name, value]) => [`braced_${name}`, `{{${value}}}`]);
    const words = Object.entries(values).flatMap(([name, value]) => {
      const word = `rules.word.${value}`;
      return WORDS.has(name) && i18n.exists(word, { ns: "findings" }) ? [[name, t(word as "fix")]] : [];
    });
    const sizes = ["size", "limit"].flatMap((name) =>
      values[name] === undefined ? [] : [[`${name}_bytes`, byteSize(Number(values[name]), i18n.language)]],
    );
    // What was typed may look like a reference to another text; it is not one.
    return t(key as "fix", { ...values, ...Object.fromEntries([...braced, ...words, ...sizes]), nest: false });
  };
  return (finding) => {
    const text = sentence(finding);
    return finding.untouched ? `${text} ${t("untouched")}` : text;
  };
}

/** Values that are words of the wire and have a translation. */
const WORDS: ReadonlySet<string> = new Set(["type", "format"]);

/** Severity by colour, icon and word. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  const { t } = useTranslation();
  const Icon = ICONS[severity];
  return (
    <Icon
      size={16}
      stroke={1.8}
      role="img"
      aria-label={t(`severity.${severity}`)}
      className={classes.icon}
      data-severity={severity}
    />
  );
}

interface FindingListProps {
  findings: readonly Finding[];
  /** Accessible name. */
  label: string;
  /** Goes to the field a finding is about. */
  onJump?: ((finding: Finding) => void) | undefined;
  /** Corrects what a finding is about; offered where its rule can. */
  onFix?: ((finding: Finding) => void) | undefined;
  /** Whether the names of their buttons have their numbers. */
  numbered?: boolean;
  /** Whether they are still to be done rather than wrong, as before anything was typed. */
  isTodo?: boolean;
  /** The name of a place (`placeOf`): they are shown under the names of their places. */
  nameOf?: ((place: string) => string) | undefined;
}

/** Errors before warnings before hints, else in their order; those of one place follow its heaviest. */
export function heaviestFirst(findings: readonly Finding[]): Finding[] {
  return byPlace([...findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]));
}

/** Findings with the heaviest first. */
export function FindingList({
  findings,
  label,
  nameOf,
  numbered = false,
  isTodo = false,
  ...actions
}: FindingListProps) {
  const id = useId();
  const sorted = heaviestFirst(findings);
  return (
    <ul className={classes.list} aria-label={label}>
      {sorted.map((finding, index) => {
        const place = placeOf(finding);
        const before = sorted[index - 1];
        const isFirst = before === undefined || placeOf(before) !== place;
        return (
          <li key={index}>
            {nameOf && isFirst && (
              <p id={`${id}${place}`} className={classes.place}>
                {nameOf(place)}
              </p>
            )}
            <FindingItem
              finding={finding}
              number={numbered ? index + 1 : undefined}
              isTodo={isTodo}
              describedBy={nameOf && `${id}${place}`}
              {...actions}
            />
          </li>
        );
      })}
    </ul>
  );
}

interface FindingItemProps extends Pick<FindingListProps, "onJump" | "onFix"> {
  finding: Finding;
  number: number | undefined;
  isTodo: boolean;
  /** The id of the name of its place. */
  describedBy: string | undefined;
}

/** A dialog takes Escape before its content does, except on elements with this attribute. */
const ESCAPE_IS_OURS = { "data-mantine-stop-propagation": true } as const;

function FindingItem({ finding, number, isTodo, describedBy, onJump, onFix }: FindingItemProps) {
  const { t } = useTranslation("findings");
  const [explained, setExplained] = useState(false);
  const source = useId();
  const why = useRef<HTMLButtonElement>(null);
  // Escape closes what was explained, before it leaves the screen.
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !explained) return;
    event.preventDefault();
    setExplained(false);
    why.current?.focus();
  };
  return (
    <>
      <div className={classes.finding}>
        {onJump ? (
          <button type="button" className={classes.jump} aria-describedby={describedBy} onClick={() => onJump(finding)}>
            <FindingText finding={finding} isTodo={isTodo} />
          </button>
        ) : (
          <span className={classes.jump}>
            <FindingText finding={finding} isTodo={isTodo} />
          </span>
        )}
        <FindingLink finding={finding} />
        {onFix && finding.fixable && (
          <Button
            size="compact-xs"
            variant="light"
            className={classes.fix}
            leftSection={<IconWand size={13} aria-hidden />}
            aria-label={number === undefined ? undefined : t("fixNumber", { number })}
            onClick={() => onFix(finding)}
          >
            {t("fix")}
          </Button>
        )}
        {finding.source !== "" && (
          <Button
            ref={why}
            size="compact-xs"
            variant="subtle"
            color="gray"
            className={classes.fix}
            aria-expanded={explained}
            aria-controls={explained ? source : undefined}
            aria-label={number === undefined ? undefined : t("whyNumber", { number })}
            {...(explained && ESCAPE_IS_OURS)}
            onClick={() => setExplained(!explained)}
            onKeyDown={onKeyDown}
          >
            {t("why")}
          </Button>
        )}
      </div>
      {explained && (
        <p id={source} className={classes.source}>
          <Source finding={finding} onKeyDown={onKeyDown} />
        </p>
      )}
    </>
  );
}

/** A link to what has the name of the template: another template or a draft. */
export function FindingLink({ finding: { code, values } }: { finding: Finding }) {
  const { t } = useTranslation("findings");
  const link = (to: "/templates/$reference" | "/drafts/$draft", params: Record<string, string>, text: string) => (
    <Anchor inherit className={classes.fix} renderRoot={(props) => <Link to={to} params={params} {...props} />}>
      {text}
    </Anchor>
  );
  if (code === "name.taken" && values.reference !== undefined) {
    return link("/templates/$reference", { reference: values.reference }, t("showTemplate"));
  }
  if (code === "name.drafted" && values.draft !== undefined) {
    return link("/drafts/$draft", { draft: values.draft }, t("showDraft"));
  }
  return null;
}

function FindingText({ finding, isTodo }: Pick<FindingItemProps, "finding" | "isTodo">) {
  const { t } = useTranslation();
  const text = useFindingText();
  return (
    <>
      {isTodo ? (
        <IconCircleDashed
          size={16}
          stroke={1.8}
          role="img"
          aria-label={t("severity.todo")}
          className={classes.icon}
          data-severity="todo"
        />
      ) : (
        <SeverityIcon severity={finding.severity} />
      )}
      <span>{text(finding)}</span>
    </>
  );
}

interface SourceProps {
  finding: Finding;
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Where the rule is stated: a page of the documentation, or a section of the provider's contract. */
function Source({ finding: { source, values }, onKeyDown }: SourceProps) {
  const { t } = useTranslation("findings");
  const openLink = useCommand("open_link");
  const code = values.errorCode;
  if (!source.startsWith("https://")) return t("sourceContract", { section: source.replace(/^contract /, "") });
  return (
    <>
      {code !== undefined && <>{t("sourceError", { code })} </>}
      {t("sourcePage")}{" "}
      <Anchor
        component="button"
        type="button"
        inherit
        {...ESCAPE_IS_OURS}
        onClick={() => openLink.mutate({ url: source })}
        onKeyDown={onKeyDown}
      >
        {source}
      </Anchor>
    </>
  );
}

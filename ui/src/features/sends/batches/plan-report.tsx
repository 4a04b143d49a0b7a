import { Checkbox } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconHelpCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { BatchPlan, MediaCheck, PlannedRow, RowProblem, ValueSource } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { BubbleView } from "@/components/phone/bubble-view";
import { PhoneWall } from "@/components/phone/phone-wall";
import { usePictures } from "@/components/phone/use-pictures";
import { useProblemText } from "@/components/send-problem-text";
import { byteSize } from "@/lib/bytes";
import { acceptedLinks } from "../accepted-links";
import sends from "../sends.module.css";
import classes from "./batches.module.css";
import { EmptyCells } from "./empty-cells";
import { HELD_BACK, HeldBackPeople } from "./held-back-people";
import { ABOVE_LIMIT, LimitChoice } from "./limit-choice";
import { NumbersNote, sameDigits } from "./numbers-note";
import { PlannedCost } from "./planned-cost";
import { Problems, type ProblemsProps } from "./problems";
import { RECENT_MARKETING, RecentMarketing } from "./recent-marketing";
import { REPEATED, RepeatedPeople } from "./repeated-people";
import { WishesToStop } from "./wishes-to-stop";

/** The warning of a row whose recipient is in an earlier row. */
export const DUPLICATE = "to.duplicate";

interface PlanReportProps {
  plan: BatchPlan;
  /** Where a field is filled from, in words: the column, or the part. */
  labelOf: (field: string) => string;
  accepted: readonly string[];
  /** Something was changed since. */
  outdated: boolean;
  /** The percentage of the list that the check is about, if the list is divided between two templates. */
  share?: number | undefined;
  onAccept: (code: string, accepted: boolean) => void;
  /** Those above the messaging limit wait until there is room. */
  spread: boolean;
  onSpread: (spread: boolean) => void;
  /** The country of numbers without country code was chosen. */
  onCountry: (country: string) => void;
  sourceOf: (field: string) => ValueSource | undefined;
  /** A text for empty cells was given. */
  onFallback: (field: string, fallback: string) => void;
}

/** What the check of the whole batch found. */
export function PlanReport(props: PlanReportProps) {
  const { plan, labelOf, accepted, outdated, onAccept, onCountry, sourceOf, onFallback } = props;
  const { spread, onSpread, share } = props;
  const { t, i18n } = useTranslation("batches");
  const duration = useDurationText();
  const leftOut = plan.leftOut ?? 0;
  const faulty = plan.bad - leftOut;
  const countOf = (code: string) => plan.counts.find((count) => count.code === code);
  const rowsWith = (code: string) => countOf(code)?.rows ?? 0;
  const errors = plan.problems.filter(
    ({ problem }) => problem.severity === "error" && problem.code !== "to.countryUnknown",
  );
  const codes = new Set(errors.flatMap(({ row, problem }) => (row === 0 ? [] : [problem.code])));
  const errorsInAll = [...codes].reduce((sum, code) => sum + rowsWith(code), 0);
  const warnings = byCode(
    plan.problems.filter(
      ({ problem: { severity, code } }) => severity === "warning" && code !== REPEATED && code !== HELD_BACK,
    ),
  );
  // Who waits until there is room waits longer than sending takes: the choice says until when.
  const isSpread = spread && accepted.includes(ABOVE_LIMIT) && warnings.some(([code]) => code === ABOVE_LIMIT);
  return (
    <section className={sends.section} aria-labelledby="batch-check" data-outdated={outdated || undefined}>
      <h2 id="batch-check" className={classes.heading} tabIndex={-1}>
        {t("plan.title")}
      </h2>
      {outdated && (
        <p className={classes.note} role="status">
          {t("plan.outdated")}
        </p>
      )}
      {share !== undefined && (
        <p className={classes.text}>
          {t("divide.half", { share: new Intl.NumberFormat(i18n.language, { style: "percent" }).format(share / 100) })}
        </p>
      )}
      <dl className={classes.figures}>
        <Figure label={t("plan.total")} value={plan.total} />
        <Figure label={t("plan.good")} value={plan.good} />
        <Figure label={t("plan.bad")} value={faulty} bad={faulty > 0} />
        {leftOut > 0 && <Figure label={t("plan.leftOut")} value={leftOut} />}
        {plan.good > 0 && !isSpread && <Figure label={t("plan.time")} value={duration(plan.estimateMs)} />}
      </dl>
      <PlannedCost plan={plan} />
      <NumbersNote numbers={plan.numbers} onCountry={onCountry} />
      {plan.duplicates > 0 && !warnings.some(([code]) => code === DUPLICATE) && (
        <p className={classes.note}>
          <IconAlertTriangle size={16} aria-hidden /> {t("plan.duplicates", { count: plan.duplicates })}
        </p>
      )}
      {plan.isFileTooLarge && (
        <p className={classes.note}>
          <IconAlertTriangle size={16} aria-hidden /> {t("plan.fileTooLarge")}
        </p>
      )}
      {errors.length > 0 && (
        <>
          <h3 className={classes.subheading}>{t("plan.problems")}</h3>
          <Problems label={t("plan.problems")} problems={errors} total={errorsInAll} labelOf={labelOf} />
        </>
      )}
      <EmptyCells plan={plan} sourceOf={sourceOf} labelOf={labelOf} onFallback={onFallback} />
      <RepeatedPeople
        plan={plan}
        accepted={accepted.includes(REPEATED)}
        onAccept={(value) => onAccept(REPEATED, value)}
      />
      <HeldBackPeople
        plan={plan}
        accepted={accepted.includes(HELD_BACK)}
        onAccept={(value) => onAccept(HELD_BACK, value)}
      />
      <WishesToStop wishes={plan.wishesToStop ?? []} />
      {plan.samples?.map(({ part, sample }) => (
        <p key={part} className={classes.note}>
          <IconAlertTriangle size={16} aria-hidden />{" "}
          {t("plan.sampleForAll", { sample, field: labelOf(part), nest: false })}
        </p>
      ))}
      {warnings.map(([code, found]) => {
        const isAccepted = accepted.includes(code);
        // Rows with an error are not sent either way.
        if (rowsWith(code) === 0 && !found.some(({ row }) => row === 0)) return null;
        if (code === ABOVE_LIMIT && found[0]) {
          const choose = (yes: boolean, waits: boolean) => {
            onSpread(waits);
            if (yes !== isAccepted) onAccept(code, yes);
          };
          const { problem } = found[0];
          return <LimitChoice key={code} {...{ problem, spread }} accepted={isAccepted} onChoose={choose} />;
        }
        if (code === RECENT_MARKETING) {
          const leave = (leftOut: boolean) => onAccept(code, !leftOut);
          return (
            <RecentMarketing
              key={code}
              problems={found}
              rows={rowsWith(code)}
              people={countOf(code)?.people ?? 0}
              labelOf={labelOf}
              leftOut={!isAccepted}
              onChange={leave}
            />
          );
        }
        return (
          <Warning
            key={code}
            problems={found}
            rows={rowsWith(code)}
            labelOf={labelOf}
            accepted={isAccepted}
            onAccept={(value) => onAccept(code, value)}
          />
        );
      })}
      {plan.sample.length > 0 && <Examples plan={plan} />}
      {plan.media.length > 0 && <Media checks={plan.media} labelOf={labelOf} />}
    </section>
  );
}

function Figure({ label, value, bad = false }: { label: string; value: number | string; bad?: boolean }) {
  const { i18n } = useTranslation();
  return (
    <div data-bad={bad || undefined}>
      <dt>{label}</dt>
      <dd>{typeof value === "number" ? new Intl.NumberFormat(i18n.language).format(value) : value}</dd>
    </div>
  );
}

/** Some messages as they will arrive: the first, the longest and others. */
function Examples({ plan: { sample, media } }: { plan: BatchPlan }) {
  const { t } = useTranslation("batches");
  return (
    <>
      <h3 className={classes.subheading}>{t("plan.examples", { count: sample.length })}</h3>
      <ul className={classes.examples}>
        {sample.map((row) => (
          <li key={row.row}>
            <Example row={row} media={media} />
          </li>
        ))}
      </ul>
    </>
  );
}

const EXAMPLES = { first: "plan.exampleFirst", longest: "plan.exampleLongest", other: "rows.row" } as const;

function Example({ row: shown, media }: { row: PlannedRow; media: MediaCheck[] }) {
  const { example, row, name, formatted, written, bubble } = shown;
  const { t } = useTranslation("batches");
  const links = media.map(({ url }) => url);
  const pictures = usePictures(bubble, { mayFetch: acceptedLinks(links, media) });
  return (
    <>
      <p className={classes.exampleHead}>
        <span className={classes.quiet}>{t(EXAMPLES[example], { row })}</span>
        <strong>{name || formatted}</strong>
        {name && <span className={classes.quiet}>{formatted}</span>}
        {sameDigits(written, formatted) || (
          <span className={classes.quiet}>{t("numbers.written", { written, nest: false })}</span>
        )}
      </p>
      <PhoneWall label={name || formatted}>
        <BubbleView bubble={bubble} {...pictures} />
      </PhoneWall>
    </>
  );
}

interface WarningProps extends Omit<ProblemsProps, "label" | "total"> {
  rows: number;
  accepted: boolean;
  onAccept: (accepted: boolean) => void;
}

/** A warning stops its rows until the person accepts it. */
function Warning({ problems, rows, accepted, onAccept, ...rest }: WarningProps) {
  const { t } = useTranslation("batches");
  const text = useProblemText();
  const [first] = problems;
  if (!first) return null;
  const ofAll = problems.some(({ row }) => row === 0);
  const words = text(first.problem);
  return (
    <div className={classes.warning}>
      <Checkbox
        size="sm"
        label={ofAll ? t("plan.acceptAll") : t("plan.accept", { count: rows })}
        description={words}
        checked={accepted}
        onChange={(event) => onAccept(event.currentTarget.checked)}
      />
      {!ofAll && (
        <details>
          <summary>{t("plan.whichRows")}</summary>
          <Problems label={words} problems={problems} total={rows} {...rest} />
        </details>
      )}
    </div>
  );
}

function byCode(problems: RowProblem[]): [string, RowProblem[]][] {
  const found = new Map<string, RowProblem[]>();
  for (const entry of problems) {
    const same = found.get(entry.problem.code);
    if (same) same.push(entry);
    else found.set(entry.problem.code, [entry]);
  }
  return [...found];
}

const MEDIA_ICONS = {
  ok: IconCircleCheck,
  tooLarge: IconCircleX,
  wrongType: IconCircleX,
  unreachable: IconAlertTriangle,
  unknown: IconHelpCircle,
};

/** What the links lead to, each link once. */
function Media({ checks, labelOf }: { checks: MediaCheck[]; labelOf: (field: string) => string }) {
  const { t, i18n } = useTranslation("batches");
  return (
    <>
      <h3 className={classes.subheading}>{t("media.title")}</h3>
      <ul className={classes.media} aria-label={t("media.title")}>
        {checks.map(({ part, url, state, bytes, mime, detail }, index) => {
          const Icon = MEDIA_ICONS[state] ?? IconHelpCircle;
          return (
            <li key={index} data-state={state}>
              <Icon size={16} aria-hidden />
              <span>
                <strong>{t(`media.${state}`)}</strong> · {labelOf(part)}
                {mime ? ` · ${mime}` : ""}
                {bytes != null && ` · ${byteSize(bytes, i18n.language)}`}
                <code>{url}</code>
                {detail && <span className={classes.quiet}>{detail}</span>}
              </span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

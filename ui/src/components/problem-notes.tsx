import { Button } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SendProblem, SendProblemCode } from "@/bindings/model";
import { SeverityIcon } from "./findings";
import { type Length, LengthCounter } from "./length-counter";
import classes from "./notes.module.css";
import { useProblemText } from "./send-problem-text";

interface ProblemNotesProps {
  problems: readonly SendProblem[];
  /** A refusal in words. */
  error?: string | undefined;
  /** Length of the value and the most it may have. */
  counter?: Length | undefined;
  /** Shown whatever else is. */
  children?: ReactNode;
  /** Writes the value as the rules want it; offered where that can be done. */
  onFix?: (() => void) | undefined;
}

/** What the rules say about a field, with its length. */
export function ProblemNotes({ problems, error, counter, children, onFix }: ProblemNotesProps) {
  const { t } = useTranslation("sends");
  const text = useProblemText();
  const fixable = problems.some(({ code }) => FIXABLE.has(code));
  return (
    <div className={classes.notes}>
      <div>
        {error !== undefined && (
          <div className={classes.note} data-severity="error">
            <SeverityIcon severity="error" />
            <span>{error}</span>
          </div>
        )}
        {problems.map((problem) => (
          <div key={problem.code} className={classes.note} data-severity={problem.severity}>
            <SeverityIcon severity={problem.severity} />
            <span>{text(problem)}</span>
          </div>
        ))}
        {fixable && onFix && (
          <Button
            size="compact-xs"
            variant="light"
            className={classes.fix}
            leftSection={<IconWand size={13} aria-hidden />}
            onClick={onFix}
          >
            {t("form.oneLine")}
          </Button>
        )}
        {children}
      </div>
      {counter && <LengthCounter {...counter} />}
    </div>
  );
}

const FIXABLE = new Set<SendProblemCode>(["value.newline", "value.tab", "value.spaces"]);

/** The value in one line, with at most as many spaces in a row as the channel takes (upstream §3.3). */
export function inOneLine(value: string): string {
  return value
    .trim()
    .replace(/[^\S\n\t\r]*[\n\t\r]\s*/g, " ")
    .replace(/ {5,}/g, "    ");
}

/** Properties of an input that its notes describe. */
export function notedInput(notes: ProblemNotesProps) {
  const isEmpty =
    notes.problems.length === 0 && notes.error === undefined && notes.counter === undefined && !notes.children;
  return {
    error: notes.error !== undefined || notes.problems.some(({ severity }) => severity === "error"),
    description: isEmpty ? undefined : <ProblemNotes {...notes} />,
    descriptionProps: { component: "div" as const },
    inputWrapperOrder: ["label", "input", "description"] as ("label" | "input" | "description")[],
  };
}

import { useTranslation } from "react-i18next";
import type { RowProblem } from "@/bindings/app";
import { useProblemText } from "@/components/send-problem-text";
import classes from "./batches.module.css";
import { sameDigits } from "./numbers-note";

export interface ProblemsProps {
  label: string;
  problems: RowProblem[];
  /** How many there are in all rows. */
  total: number;
  labelOf: (field: string) => string;
}

/** Each with its row, what it is about, and what is wrong. */
export function Problems({ label, problems, total, labelOf }: ProblemsProps) {
  const { t } = useTranslation("batches");
  const text = useProblemText();
  // The host counts a problem once a row; those of the whole batch are all listed.
  const listed = new Set(problems.flatMap(({ row, problem }) => (row === 0 ? [] : [`${row} ${problem.code}`]))).size;
  const hasRecipients = problems.some(({ recipient }) => recipient !== "");
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many problems scroll, and must do so by keyboard */}
      <div className={classes.problems} tabIndex={0} role="group" aria-label={label}>
        <table aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t("plan.row")}</th>
              {hasRecipients && <th scope="col">{t("plan.recipient")}</th>}
              <th scope="col">{t("plan.place")}</th>
              <th scope="col">{t("plan.what")}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ row, recipient, name, formatted, problem }, index) => (
              <tr key={index}>
                <td>{row === 0 ? t("plan.everyRow") : row}</td>
                {hasRecipients && (
                  <td>
                    {name && (
                      <>
                        <span dir="auto">{name}</span>
                        <br />
                      </>
                    )}
                    {formatted && sameDigits(recipient, formatted) ? formatted : recipient}
                  </td>
                )}
                <td>{labelOf(problem.field)}</td>
                <td>{text(problem)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > listed && <p className={classes.text}>{t("plan.more", { shown: listed, count: total })}</p>}
    </>
  );
}

import { Alert, Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { MarketingSource, OptOutFault, OptOutImport } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { RowFaults } from "@/components/row-faults";
import { useProblemText } from "@/components/send-problem-text";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./settings.module.css";

interface OptOutImportReportProps {
  workspace: string;
  report: OptOutImport;
  onClose: () => void;
}

/** What a file came to: who is stopped and who is not, or the reason of each faulty row. */
export function OptOutImportReport({ workspace, report, onClose }: OptOutImportReportProps) {
  const { t } = useTranslation("settings");
  const { name, rows, faulty, notAdded, unknownColumns } = report;
  const isImported = faulty === 0 && !unknownColumns;
  const title = unknownColumns
    ? t("optOuts.noColumn", { name, nest: false })
    : isImported
      ? t("optOuts.imported", { name, nest: false })
      : t("optOuts.notImported", { count: faulty, rows, name, nest: false });
  return (
    <Alert
      color={isImported ? (notAdded.length > 0 ? "yellow" : "teal") : "red"}
      role={isImported ? "status" : "alert"}
      title={title}
      withCloseButton
      closeButtonLabel={t("close", { ns: "common" })}
      onClose={onClose}
    >
      {unknownColumns && <p>{t("optOuts.noColumnText", { columns: unknownColumns.join(", "), nest: false })}</p>}
      {isImported && <Outcome key={JSON.stringify(report)} workspace={workspace} report={report} />}
      {!isImported && !unknownColumns && <Faults report={report} />}
    </Alert>
  );
}

/** The columns that are read, as our own files have them. */
const READ = ["person", "name", "since", "how", "number", "account", "business"] as const;

/** So many people who are not added are named. */
const MAX_NAMED = 50;

function Outcome({
  workspace,
  report: { added, known, notAdded, unreadColumns },
}: Pick<OptOutImportReportProps, "workspace" | "report">) {
  const { t } = useTranslation("settings");
  const { t: exported } = useTranslation("exports");
  const add = useCommand("add_opt_outs");
  const waiting = add.isSuccess ? [] : notAdded;
  const count = add.isSuccess ? added + notAdded.length : added;
  const onStop = () =>
    add.mutate(
      { workspace, people: notAdded.map(({ person, number, waba }) => ({ person, number, waba })) },
      { onError: showFailure },
    );
  return (
    <>
      <p>
        {[
          count === 0 ? t("optOuts.outcome.addedNone") : t("optOuts.outcome.added", { count }),
          known > 0 && t("optOuts.outcome.known", { count: known }),
          waiting.length > 0 && t("optOuts.outcome.notAdded", { count: waiting.length }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {unreadColumns.length > 0 && (
        <p>
          {t("optOuts.outcome.unread", {
            columns: unreadColumns.join(", "),
            names: READ.map((column) => exported(`columns.${column}`)).join(", "),
            nest: false,
          })}
        </p>
      )}
      {waiting.length > 0 && (
        <>
          <ul className={styles.bullets} aria-label={t("optOuts.outcome.notAddedPeople")}>
            {waiting.slice(0, MAX_NAMED).map(({ line, person, formatted, name, allowedBy, allowedAt }) => (
              <li key={`${line} ${person}`}>
                <strong dir="auto">{name ?? formatted}</strong>:{" "}
                {t(allowedBy === "preference" ? "optOuts.outcome.resumed" : "optOuts.outcome.allowed")}{" "}
                <Instant at={allowedAt} format="brief" />
              </li>
            ))}
          </ul>
          {waiting.length > MAX_NAMED && (
            <p>{t("rowFaults.more", { ns: "common", count: waiting.length - MAX_NAMED })}</p>
          )}
          <div className={classes.buttons}>
            <Button size="compact-sm" variant="default" loading={add.isPending} onClick={onStop}>
              {t("optOuts.outcome.stop", { count: waiting.length })}
            </Button>
          </div>
        </>
      )}
    </>
  );
}

const HOW = ["preference", "failure", "reply", "note"] as const satisfies readonly MarketingSource[];

function Faults({ report: { faults, faulty } }: Pick<OptOutImportReportProps, "report">) {
  const { t } = useTranslation("settings");
  const problemText = useProblemText();
  const { t: exported } = useTranslation("exports");
  // As our own files have them in the language of the window.
  const words = HOW.map((how) => exported(`how.${how}`)).join(", ");
  const reasonOf = ({ code, problem }: OptOutFault) =>
    problem ? problemText(problem) : t(`optOuts.fault.${code}`, { words, nest: false });
  return (
    <>
      <p>{t("optOuts.correct")}</p>
      <RowFaults
        label={t("optOuts.faults")}
        faults={faults.map((fault) => ({ line: fault.line, value: fault.value, reason: reasonOf(fault) }))}
        total={faulty}
      />
    </>
  );
}

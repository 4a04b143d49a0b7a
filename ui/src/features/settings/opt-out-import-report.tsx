import { Alert } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { OptOutFault, OptOutImport } from "@/bindings/app";
import { useProblemText } from "@/components/send-problem-text";

/** What a file came to: everybody in it is added, or nobody, with the reason of each faulty row. */
export function OptOutImportReport({ report, onClose }: { report: OptOutImport; onClose: () => void }) {
  const { t } = useTranslation("settings");
  const problemText = useProblemText();
  const { name, rows, faults, faulty } = report;
  const reasonOf = ({ code, problem }: OptOutFault) => (problem ? problemText(problem) : t(`optOuts.fault.${code}`));
  const isImported = faulty === 0;
  return (
    <Alert
      color={isImported ? "green" : "red"}
      role={isImported ? "status" : "alert"}
      title={
        isImported
          ? t("optOuts.imported", { count: rows, name, nest: false })
          : t("optOuts.notImported", { count: faulty, rows, name, nest: false })
      }
      withCloseButton
      closeButtonLabel={t("close", { ns: "common" })}
      onClose={onClose}
    >
      {!isImported && (
        <>
          <p>{t("optOuts.correct")}</p>
          <ul aria-label={t("optOuts.faults")}>
            {faults.map((fault) => (
              <li key={fault.line}>
                {t("optOuts.line", { line: fault.line })} {fault.value !== "" && `“${fault.value}”: `}
                {reasonOf(fault)}
              </li>
            ))}
          </ul>
          {faulty > faults.length && <p>{t("optOuts.moreFaults", { count: faulty - faults.length })}</p>}
        </>
      )}
    </Alert>
  );
}

import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import styles from "./styles.module.css";

interface RowFaultsProps {
  label: string;
  faults: readonly { line: number; value: string; reason: ReactNode }[];
  /** All faults; the first are listed. */
  total: number;
}

/** Faulty rows of a file: the line, what is written there and what is wrong with it. */
export function RowFaults({ label, faults, total }: RowFaultsProps) {
  const { t } = useTranslation("common");
  return (
    <>
      <ul className={styles.bullets} aria-label={label}>
        {faults.map(({ line, value, reason }) => (
          <li key={line}>
            {t(value === "" ? "rowFaults.line" : "rowFaults.lineWith", { line, value, nest: false })} {reason}
          </li>
        ))}
      </ul>
      {total > faults.length && <p>{t("rowFaults.more", { count: total - faults.length })}</p>}
    </>
  );
}

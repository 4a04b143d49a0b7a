import { useTranslation } from "react-i18next";
import type { CodeFigure } from "@/bindings/app";
import { useErrorCodeText } from "@/components/error-code";
import styles from "@/components/styles.module.css";
import classes from "./insights.module.css";
import { useNumber, useShare } from "./parts";

/** Why messages failed: the channel's codes with what each means and what to do about it. */
export function FailureCodes({ codes, failed }: { codes: CodeFigure[]; failed: number }) {
  const { t } = useTranslation("insights");
  const meaning = useErrorCodeText();
  const number = useNumber();
  const share = useShare();
  if (codes.length === 0) return <p className={styles.small}>{t("codes.none")}</p>;
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th scope="col">{t("codes.code")}</th>
          <th scope="col">{t("codes.messages")}</th>
        </tr>
      </thead>
      <tbody>
        {codes.map(({ code, count }) => {
          const known = meaning(code);
          return (
            <tr key={code}>
              <th scope="row">
                <code>{code === "" ? t("codes.unsaid") : code}</code>{" "}
                {known?.meaning ?? (code === "" ? "" : t("failure.unknown", { ns: "common" }))}
                {known && <span className={classes.quiet}>{known.advice}</span>}
              </th>
              <td>
                {number(count)} <span className={classes.share}>{share(count, failed)}</span>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

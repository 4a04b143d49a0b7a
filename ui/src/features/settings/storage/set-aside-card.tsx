import { useTranslation } from "react-i18next";
import type { SetAside } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import classes from "../settings.module.css";

/** Files that were damaged or replaced. Nothing deletes them but the person. */
export function SetAsideCard({ files }: { files: SetAside[] }) {
  const { t, i18n } = useTranslation("storage");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <Card title={t("aside.title")} text={t(files.length === 0 ? "aside.none" : "aside.text")}>
      {files.length > 0 && (
        <ul className={classes.aside}>
          {files.map(({ path, at, reason, recovered, lost }) => (
            <li key={path}>
              <span className={classes.path}>
                <code>{path}</code>
                <CopyButton text={path} label={t("aside.copyPath", { path })} />
              </span>
              <span className={styles.muted}>
                <Instant at={at} format="full" /> · {reason}
              </span>
              {(recovered != null || lost != null) && (
                <span className={styles.muted}>
                  {recovered != null && t("aside.recovered", { count: recovered, number: number.format(recovered) })}
                  {recovered != null && lost != null && " · "}
                  {lost != null && t("aside.lost", { count: lost, number: number.format(lost) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

import { useTranslation } from "react-i18next";
import type { SetAside } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { Instant } from "@/components/instant";
import classes from "../settings.module.css";

/** Files that were damaged or replaced. Nothing deletes them but the person. */
export function SetAsideCard({ files }: { files: SetAside[] }) {
  const { t, i18n } = useTranslation("storage");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section className={classes.card} aria-labelledby="storage-aside">
      <h2 id="storage-aside">{t("aside.title")}</h2>
      <p className={classes.text}>{t(files.length === 0 ? "aside.none" : "aside.text")}</p>
      {files.length > 0 && (
        <ul className={classes.aside}>
          {files.map(({ path, at, reason, recovered, lost }) => (
            <li key={path}>
              <span className={classes.path}>
                <code>{path}</code>
                <CopyButton text={path} label={t("aside.copyPath", { path })} />
              </span>
              <span className={classes.text}>
                <Instant at={at} format="full" /> · {reason}
              </span>
              {(recovered != null || lost != null) && (
                <span className={classes.text}>
                  {recovered != null && t("aside.recovered", { count: recovered, number: number.format(recovered) })}
                  {recovered != null && lost != null && " · "}
                  {lost != null && t("aside.lost", { count: lost, number: number.format(lost) })}
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

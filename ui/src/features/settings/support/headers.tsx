import { useTranslation } from "react-i18next";
import { Facts } from "@/components/facts";
import styles from "@/components/styles.module.css";
import classes from "./support.module.css";

/** Headers that were kept, in the order they came. */
export function Headers({ headers }: { headers: readonly (readonly [string, string])[] }) {
  const { t } = useTranslation("support");
  if (headers.length === 0) return <p className={styles.muted}>{t("delivery.noHeaders")}</p>;
  return (
    <Facts>
      {headers.map(([name, content], index) => (
        <div key={index} className={classes.header}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <code>{content}</code>
          </dd>
        </div>
      ))}
    </Facts>
  );
}

import { IconBellQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { WishToStop } from "@/bindings/app";
import styles from "@/components/styles.module.css";
import classes from "./batches.module.css";

/** How many are named. */
const NAMED = 20;

/** People whose last message may be a wish to stop marketing, each with the way to the conversation. */
export function WishesToStop({ wishes }: { wishes: readonly WishToStop[] }) {
  const { t } = useTranslation("batches");
  if (wishes.length === 0) return null;
  return (
    <details className={styles.unfold}>
      <summary className={classes.note}>
        <IconBellQuestion size={16} aria-hidden /> {t("plan.wishes", { count: wishes.length })}
      </summary>
      <ul className={classes.replies}>
        {wishes.slice(0, NAMED).map(({ contact, name, formatted, text }) => (
          <li key={contact}>
            <Link to="/inbox" search={{ contact }}>
              {name || formatted}
            </Link>
            <span className={classes.quiet} dir="auto">
              {text}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

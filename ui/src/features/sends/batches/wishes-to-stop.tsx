import { IconBellQuestion } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { WishToStop } from "@/bindings/app";
import classes from "./batches.module.css";
import own from "./wishes-to-stop.module.css";

/** The most people that are listed. */
const MAX_LISTED = 20;

/** The most people that are listed without unfolding. */
const MAX_SHOWN = 5;

/** People whose last message may be a wish to stop marketing, each with a link to the conversation. */
export function WishesToStop({ wishes }: { wishes: readonly WishToStop[] }) {
  const { t } = useTranslation("batches");
  if (wishes.length === 0) return null;
  const people = (
    <ul className={classes.replies}>
      {wishes.slice(0, MAX_LISTED).map(({ contact, name, formatted, text }) => (
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
  );
  return (
    <div className={own.wishes}>
      <p className={classes.note}>
        <IconBellQuestion size={16} aria-hidden /> {t("plan.wishes", { count: wishes.length })}
      </p>
      {wishes.length <= MAX_SHOWN ? (
        people
      ) : (
        <details>
          <summary>{t("plan.whoWishes")}</summary>
          {people}
        </details>
      )}
    </div>
  );
}

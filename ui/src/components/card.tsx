import { type ReactNode, useId } from "react";
import classes from "./card.module.css";
import styles from "./styles.module.css";

interface CardProps {
  title: ReactNode;
  /** One sentence under the title. */
  text?: ReactNode;
  children: ReactNode;
}

/** A titled section in a box. */
export function Card({ title, text, children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {text && <p className={styles.muted}>{text}</p>}
      {children}
    </section>
  );
}

/** The fields of a form that belong together, in a box. */
export function FieldsCard({ title, children }: Omit<CardProps, "text">) {
  return (
    <fieldset className={`${classes.card} ${classes.fields}`}>
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

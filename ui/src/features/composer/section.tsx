import { type ReactNode, useId } from "react";
import classes from "./composer.module.css";

interface SectionProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  return (
    <section className={classes.section} aria-labelledby={id}>
      <header className={classes.sectionHead}>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}

import { type ReactNode, useId } from "react";
import classes from "./composer.module.css";
import { useParts } from "./parts-context";

interface SectionProps {
  title: string;
  /** Beside the title. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ title, aside, children }: SectionProps) {
  const id = useId();
  const { card } = useParts();
  if (card !== undefined) {
    // Within a card it is a part of that, no part of the page.
    return (
      <div className={classes.section} role="group" aria-labelledby={id}>
        <header className={classes.sectionHead}>
          <h4 id={id}>{title}</h4>
          {aside}
        </header>
        <div className={classes.fields}>{children}</div>
      </div>
    );
  }
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

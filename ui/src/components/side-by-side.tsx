import type { ComponentProps } from "react";
import { SamplePhone } from "./phone/sample-phone";
import classes from "./side-by-side.module.css";
import styles from "./styles.module.css";

interface Side extends ComponentProps<typeof SamplePhone> {
  /** What is shown, such as "Before". */
  title: string;
}

/** Messages as phones show them, one beside the other where there is room. */
export function SideBySide({ sides }: { sides: Side[] }) {
  return (
    <div className={classes.sides}>
      {sides.map(({ title, ...phone }, index) => (
        <div key={index} role="group" aria-label={title}>
          <p aria-hidden className={styles.label}>
            {title}
          </p>
          <SamplePhone {...phone} />
        </div>
      ))}
    </div>
  );
}

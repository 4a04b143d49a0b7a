import { CopyButton } from "./copy-button";
import classes from "./curl-view.module.css";
import styles from "./styles.module.css";

interface CurlViewProps {
  /** The command. */
  text: string;
  /** Name of the copying, such as "Copy the command". */
  copyLabel: string;
  /** Name of the text where it is no call of curl. */
  label?: string;
  maxHeight?: string;
}

/** A command for a terminal, to be read and copied. */
export function CurlView({ text, copyLabel, label = "curl", maxHeight }: CurlViewProps) {
  return (
    <div className={classes.curl}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <pre style={{ maxHeight }} tabIndex={0} aria-label={label} role="group">
        {text}
      </pre>
      <CopyButton text={text} label={copyLabel} className={styles.corner} />
    </div>
  );
}

import { CopyButton } from "./copy-button";
import classes from "./curl-view.module.css";
import styles from "./styles.module.css";

interface CurlViewProps {
  /** The command, or the text. */
  text: string;
  /** Name of the copying, such as "Copy the command". */
  copyLabel: string;
  /** Accessible name of the text. */
  label?: string;
  maxHeight?: string;
}

/** A command for a terminal or another plain text, to be read and copied. */
export function CurlView({ text, copyLabel, maxHeight, label = "curl" }: CurlViewProps) {
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

import { useTranslation } from "react-i18next";
import classes from "./length-counter.module.css";

/** From this share of its limit on, the length of a text is a warning. */
const NEAR = 0.9;

export interface Length {
  /** Characters of the text. */
  used: number;
  /** The most characters that it may have, from the host. */
  limit: number;
}

/** Whether a text is near its limit or over it. */
export const isNearLimit = ({ used, limit }: Length) => used >= limit * NEAR;

/** Characters as the channel is taken to count them: an emoji is one or few, never its halves. */
export const lengthOf = (text: string) => [...text].length;

/** The length of a text and its limit; both are marked where the text is nearly or really too long. */
export function LengthCounter(length: Length) {
  const { t } = useTranslation();
  const { used, limit } = length;
  const over = used > limit;
  return (
    <span
      className={classes.counter}
      data-over={over || undefined}
      data-near={(!over && isNearLimit(length)) || undefined}
      role="img"
      aria-label={t("counter", { used, limit })}
    >
      {used}/{limit}
    </span>
  );
}

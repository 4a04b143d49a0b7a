import { useTranslation } from "react-i18next";
import { readableWord } from "@/lib/readable-word";
import classes from "./rejection-reason.module.css";

/** Reasons the channel is known to give (upstream §5.6). */
const KNOWN = [
  "ABUSIVE_CONTENT",
  "INCORRECT_CATEGORY",
  "INVALID_FORMAT",
  "PROMOTIONAL",
  "SCAM",
  "TAG_CONTENT_MISMATCH",
  "CATEGORY_NOT_AVAILABLE",
  "NONE",
] as const;

type Known = (typeof KNOWN)[number] | "other";

function known(reason: string | null | undefined): Known {
  if (!reason) return "NONE";
  const word = reason.trim().toUpperCase();
  return KNOWN.find((entry) => entry === word) ?? "other";
}

/** What a reason of rejection says in the language of the window; one that is not known, as words. */
export function useReasonTitle(): (reason: string | null | undefined) => string {
  const { t } = useTranslation();
  return (reason) => {
    const word = known(reason);
    return word === "other" && reason ? readableWord(reason.trim()) : t(`reasons.${word}.title`);
  };
}

interface RejectionReasonProps {
  /** The channel's word, such as `INVALID_FORMAT`; absent where it gave none. */
  reason: string | null | undefined;
  /** What the provider said to it. */
  advice?: string | null | undefined;
}

/** Why a template was rejected: what it means, what to do, and the provider's own words. */
export function RejectionReason({ reason, advice }: RejectionReasonProps) {
  const { t } = useTranslation();
  const word = known(reason);
  return (
    <dl className={classes.reason}>
      <div>
        <dt>{t("reasons.meaningLabel")}</dt>
        <dd>
          {t(`reasons.${word}.meaning`)}{" "}
          {reason && <span className={classes.quiet}>{t("reasons.raw", { reason, nest: false })}</span>}
        </dd>
      </div>
      <div>
        <dt>{t("reasons.todoLabel")}</dt>
        <dd>{t(`reasons.${word}.todo`)}</dd>
      </div>
      {advice && (
        <div>
          <dt>{t("reasons.providerWords")}</dt>
          <dd>
            <q className={classes.words}>{advice}</q>
          </dd>
        </div>
      )}
    </dl>
  );
}

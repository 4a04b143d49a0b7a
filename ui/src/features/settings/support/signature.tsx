import { Badge } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { SignatureVerdict } from "@/bindings/app";
import styles from "@/components/styles.module.css";
import classes from "./support.module.css";

const COLORS: Record<SignatureVerdict["kind"], string> = {
  current: "teal",
  previous: "teal",
  invalid: "red",
  absent: "gray",
  noSecret: "gray",
  gone: "gray",
};

/** What the signature of a stored delivery says today, and what that means where it is not plainly good. */
export function Signature({ verdict: { kind } }: { verdict: SignatureVerdict }) {
  const { t } = useTranslation("support");
  return (
    <span className={classes.verdict}>
      <Badge variant="light" size="sm" color={COLORS[kind]}>
        {t(`signature.${kind}.title`)}
      </Badge>
      {kind !== "current" && <span className={styles.muted}>{t(`signature.${kind}.text`)}</span>}
    </span>
  );
}

import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./fields.module.css";

interface RestoredProps {
  /** The person whom it was typed for; empty where nobody was chosen. */
  name: string;
  onStartEmpty: () => void;
}

/** Says that the form contains what was typed earlier and not sent. */
export function Restored({ name, onStartEmpty }: RestoredProps) {
  const { t } = useTranslation("sends");
  return (
    <p className={classes.replaced} role="status">
      <span>{name === "" ? t("restored.text") : t("restored.for", { name, nest: false })}</span>
      <Button size="compact-xs" variant="default" onClick={onStartEmpty}>
        {t("restored.startEmpty")}
      </Button>
    </p>
  );
}

/** Says that what was typed gave way to a repetition, or to an empty form. */
export function Replaced({ onBringBack, onKeep }: { onBringBack: () => void; onKeep: () => void }) {
  const { t } = useTranslation("sends");
  return (
    <p className={classes.replaced} role="status">
      <span>{t("again.replaced")}</span>
      <Button size="compact-xs" variant="default" onClick={onBringBack}>
        {t("again.bringBack")}
      </Button>
      <Button size="compact-xs" variant="subtle" onClick={onKeep}>
        {t("again.keep")}
      </Button>
    </p>
  );
}

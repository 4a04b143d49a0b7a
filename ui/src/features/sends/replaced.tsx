import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./fields.module.css";

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

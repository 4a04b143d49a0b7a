import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./settings.module.css";

/** Says that a form begins with what was typed before, with the way to its stored values. */
export function ResumedNote({ text, onDiscard }: { text: string; onDiscard: () => void }) {
  const { t } = useTranslation("settings");
  return (
    <p className={classes.where} role="status">
      {text}
      <Button size="compact-xs" variant="default" w="fit-content" onClick={onDiscard}>
        {t("leave.discard")}
      </Button>
    </p>
  );
}

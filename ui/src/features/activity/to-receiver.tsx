import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

/** Leads to the receiver's addresses, from where nothing has come in. */
export function ToReceiver() {
  const { t } = useTranslation("activity");
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/activity" search={{ view: "receiver" }} {...props} />}>
      {t("empty.toReceiver")}
    </Button>
  );
}

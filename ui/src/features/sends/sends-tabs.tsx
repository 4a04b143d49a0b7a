import { SegmentedControl } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

const VIEWS = { sends: "/sends", batches: "/sends/batches", recipients: "/sends/recipients" } as const;

export type SendsView = keyof typeof VIEWS;

/** The lists that Sends has: single messages, batches of them, and the people they go to. */
export function SendsTabs({ view }: { view: SendsView }) {
  const { t } = useTranslation("batches");
  const navigate = useNavigate();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("views")}
      value={view}
      onChange={(next) => void navigate({ to: VIEWS[next as SendsView] })}
      data={(["sends", "batches", "recipients"] as const).map((value) => ({ value, label: t(`view.${value}`) }))}
    />
  );
}

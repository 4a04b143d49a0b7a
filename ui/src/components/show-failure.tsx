import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import type { DeskFailure } from "@/lib/ipc/errors";

function Title() {
  const { t } = useTranslation("errors");
  return t("happened");
}

/** Says why something failed that has no place of its own on the screen. */
export function showFailure(failure: DeskFailure): void {
  // Whoever closed a dialog of the desktop knows that nothing happened.
  if (failure.code === "cancelled") return;
  modals.open({ title: <Title />, children: <ErrorNotice error={failure} /> });
}

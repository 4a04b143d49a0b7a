import { modals } from "@mantine/modals";
import { ErrorNotice } from "@/components/error-notice";
import type { DeskFailure } from "@/lib/ipc/errors";

/** Says why something failed that has no place of its own on the screen. */
export function showFailure(failure: DeskFailure): void {
  // Whoever closed a dialog of the desktop knows that nothing happened.
  if (failure.code === "cancelled") return;
  modals.open({ withCloseButton: true, children: <ErrorNotice error={failure} /> });
}

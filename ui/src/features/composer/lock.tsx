import { IconLock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { LockedField } from "@/bindings/app";
import { useComposer } from "./store";

/** Why a field of an edited template cannot be changed, in words; `undefined` where it can be. */
export function useLock(field: LockedField): string | undefined {
  const { t } = useTranslation("composer");
  const edits = useComposer(({ draft }) => draft.edits != null);
  const locked = useComposer(({ context }) => context?.locks.includes(field) === true);
  // They never change, whatever the provider says of the template.
  return edits || locked ? t("edit.lock.immutable") : undefined;
}

/** The icon of a locked field; the reason is below the field. */
export function LockIcon() {
  return <IconLock size={15} stroke={1.7} aria-hidden />;
}

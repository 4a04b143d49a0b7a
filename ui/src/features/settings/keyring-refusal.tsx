import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionBar } from "@/components/action-bar";
import type { DeskFailure } from "@/lib/ipc/errors";

interface KeyringRefusalProps {
  /** The command that stores the secrets. */
  save: { error: DeskFailure | null; isPending: boolean };
  /** Stores again, with the secrets in memory only. */
  onKeep: () => void;
}

/** Offers to keep the secrets for this session after the keyring did not store them. */
export function KeyringRefusal({ save, onKeep }: KeyringRefusalProps) {
  const { t } = useTranslation("settings");
  const error = save.error?.error;
  if (error?.code !== "keyringUnavailable") return null;
  return (
    <ActionBar
      live={false}
      status={
        <>
          {t(`keyring.problem.${error.problem}`)} {error.stale && t("keyring.stale")} {t("keyring.choice")}
        </>
      }
    >
      <Button variant="light" loading={save.isPending} onClick={onKeep}>
        {t("keyring.keepAndSave")}
      </Button>
    </ActionBar>
  );
}

import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ActionBar } from "@/components/action-bar";
import type { WorkspaceFormState } from "./use-workspace-form";

interface KeyringRefusalProps {
  form: WorkspaceFormState;
  /** Stores again, with the secrets in memory only. */
  onKeep: () => void;
}

/** Offers to keep the secrets for this session after the keyring did not store them. */
export function KeyringRefusal({ form, onKeep }: KeyringRefusalProps) {
  const { t } = useTranslation("settings");
  const { save } = form;
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

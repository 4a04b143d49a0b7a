import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useTranslation } from "react-i18next";
import type { RecipientImport } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { toFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./recipients.module.css";

interface ImportResultProps {
  workspace: string;
  /** The import. */
  id: string;
  stored: RecipientImport;
  onClose: () => void;
}

/** What an import did, and the way back until this is closed. */
export function ImportResult({ workspace, id, stored: { added, changed }, onClose }: ImportResultProps) {
  const { t } = useTranslation("batches");
  const undo = useCommand("undo_recipient_import");
  // Its outcome is also said if this was closed meanwhile.
  const takeBack = async () => {
    try {
      const { kept } = await undo.mutateAsync({ workspace, id });
      onClose();
      notifications.show({
        title: t("import.undone"),
        message: kept > 0 ? t("import.kept", { count: kept }) : t("import.undoneText"),
      });
    } catch (reason) {
      showFailure(toFailure(reason));
    }
  };
  return (
    <div className={classes.form}>
      <p role="status">
        {[
          added > 0 && t("import.doneAdded", { count: added }),
          changed > 0 && t("import.doneChanged", { count: changed }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      <p className={styles.small}>{t("import.undoHint")}</p>
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" loading={undo.isPending} onClick={() => void takeBack()}>
          {t("undo", { ns: "common" })}
        </Button>
        <Button data-autofocus onClick={onClose}>
          {t("close", { ns: "common" })}
        </Button>
      </Group>
    </div>
  );
}

import { Alert } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useComposer } from "./store";

/** Says that the draft may have been submitted, such as before a crash. The panel that submits says what is known of it. */
export function UnknownOutcome() {
  const { t } = useTranslation("composer");
  const id = useComposer((state) => state.draft.id);
  const drafts = useQuery(queries.drafts(useWorkspace().id)).data;
  if (!drafts?.some((draft) => draft.id === id && draft.isUnknown)) return null;
  return (
    <Alert
      role="status"
      color="orange"
      variant="light"
      icon={<IconAlertTriangle size={20} stroke={1.7} />}
      title={t("unknownOutcome.title")}
    >
      {t("unknownOutcome.text")}
    </Alert>
  );
}

import { Button, Group } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { CurlView } from "./curl-view";
import { ErrorNotice } from "./error-notice";
import { Loading } from "./loading";
import { showSavedFile } from "./show-saved-file";
import styles from "./styles.module.css";

const MODAL = "diagnostics";

/** Opens the diagnostics, to be read before they are saved. */
export function useOpenDiagnostics(): () => void {
  const { t } = useTranslation("support");
  return () =>
    modals.open({
      modalId: MODAL,
      title: t("diagnostics.preview"),
      size: "xl",
      children: <DiagnosticsPreview />,
    });
}

/** The text exactly as it is saved. */
function DiagnosticsPreview() {
  const { t } = useTranslation("support");
  const diagnostics = useQuery(queries.diagnostics());
  const save = useCommand("save_diagnostics");
  const close = () => modals.close(MODAL);
  const submit = () =>
    save.mutate(
      {},
      {
        onSuccess: (saved) => {
          if (!saved) return;
          close();
          showSavedFile(t("diagnostics.saved"), saved.path);
        },
      },
    );
  if (diagnostics.error) {
    return <ErrorNotice error={diagnostics.error} onRetry={() => void diagnostics.refetch()} />;
  }
  if (!diagnostics.data) return <Loading />;
  return (
    <>
      <p className={styles.muted}>{t("diagnostics.previewText")}</p>
      <CurlView
        text={diagnostics.data.text}
        label={t("diagnostics.title")}
        copyLabel={t("diagnostics.copy")}
        maxHeight="50vh"
      />
      {save.error && <ErrorNotice error={save.error} />}
      <Group justify="flex-end" gap="xs" mt="md">
        <Button variant="default" onClick={close}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button data-autofocus loading={save.isPending} onClick={submit}>
          {t("diagnostics.save")}
        </Button>
      </Group>
    </>
  );
}

import { Button, Group, Stack } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useTranslation } from "react-i18next";
import { useCommand } from "@/lib/ipc/mutations";
import { CurlView } from "./curl-view";
import { ErrorNotice } from "./error-notice";
import { showFailure } from "./show-failure";
import { showSavedFile } from "./show-saved-file";

const MODAL = "diagnostics";

/** Collects the diagnostics and opens them, to be read before they are saved. */
export function useDiagnostics() {
  const { t } = useTranslation("support");
  const collect = useCommand("get_diagnostics");
  const open = () =>
    collect.mutate(
      {},
      {
        onSuccess: ({ text }) =>
          modals.open({
            modalId: MODAL,
            title: t("diagnostics.preview"),
            size: "xl",
            children: <DiagnosticsPreview text={text} />,
          }),
        onError: showFailure,
      },
    );
  return { open, isOpening: collect.isPending };
}

/** The text exactly as it is saved. */
function DiagnosticsPreview({ text }: { text: string }) {
  const { t } = useTranslation("support");
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
  return (
    <Stack gap="sm">
      <p>{t("diagnostics.previewText")}</p>
      <CurlView text={text} label={t("diagnostics.title")} copyLabel={t("diagnostics.copy")} maxHeight="50vh" />
      {save.error && <ErrorNotice error={save.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={close}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button data-autofocus loading={save.isPending} onClick={submit}>
          {t("diagnostics.save")}
        </Button>
      </Group>
    </Stack>
  );
}

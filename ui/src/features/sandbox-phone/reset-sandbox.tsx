import { Button, Radio, Stack } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./sandbox-phone.module.css";

/** Starts the sandbox again, with the history of a business or empty. */
export function ResetSandbox() {
  const { t } = useTranslation("sandboxPhone");
  const reset = useCommand("reset_sandbox");
  const [content, setContent] = useState<"history" | "empty">("history");
  const ask = () =>
    modals.openConfirmModal({
      title: t("reset.title"),
      children: <p className={styles.muted}>{t("reset.warning")}</p>,
      labels: { confirm: t("reset.confirm"), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () =>
        reset.mutate(
          { history: content === "history" },
          { onSuccess: () => notifications.show({ message: t("reset.done") }) },
        ),
    });
  return (
    <section className={classes.card} aria-labelledby="sandbox-reset">
      <h2 id="sandbox-reset">{t("reset.heading")}</h2>
      <Stack gap="sm">
        <Radio.Group
          aria-label={t("reset.heading")}
          value={content}
          onChange={(value) => setContent(value as typeof content)}
        >
          <Stack gap="xs">
            {(["history", "empty"] as const).map((value) => (
              <Radio
                key={value}
                size="xs"
                value={value}
                label={t(`reset.content.${value}`)}
                description={t(`reset.contentText.${value}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        {reset.error && <ErrorNotice error={reset.error} />}
        <div>
          <Button color="red" variant="light" loading={reset.isPending} onClick={ask}>
            {t("reset.button")}
          </Button>
        </div>
      </Stack>
    </section>
  );
}

import { Button, Group, Modal } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import styles from "@/components/styles.module.css";

/** Asks before a form with unsaved changes is left; `onDiscard` drops them. `discard` lets the next navigation pass. */
export function useLeaveQuestion(changed: boolean, onDiscard: () => void) {
  const isDiscarding = useRef(false);
  const blocker = useBlocker({
    shouldBlockFn: () => changed && !isDiscarding.current,
    enableBeforeUnload: false,
    withResolver: true,
  });
  return {
    discard: () => {
      isDiscarding.current = true;
    },
    question: <LeaveQuestion blocker={blocker} onDiscard={onDiscard} />,
  };
}

function LeaveQuestion({
  blocker,
  onDiscard,
}: {
  onDiscard: () => void;
  blocker: { status: string; proceed?: (() => void) | undefined; reset?: (() => void) | undefined };
}) {
  const { t } = useTranslation("settings");
  return (
    <Modal
      opened={blocker.status === "blocked"}
      onClose={() => blocker.reset?.()}
      title={t("leave.title")}
      closeButtonProps={{ "aria-label": t("leave.stay") }}
    >
      <p className={styles.muted}>{t("leave.text")}</p>
      <Group justify="flex-end" gap="0.5rem" mt="1rem">
        <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
          {t("leave.stay")}
        </Button>
        <Button
          color="red"
          onClick={() => {
            onDiscard();
            blocker.proceed?.();
          }}
        >
          {t("leave.discard")}
        </Button>
      </Group>
    </Modal>
  );
}

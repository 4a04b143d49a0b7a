import { Button, Group, Modal, Select } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useReasonTitle } from "@/components/rejection-reason";
import { useCommand } from "@/lib/ipc/mutations";

/** Reasons the channel gives for a rejection. */
const REASONS = [
  "INVALID_FORMAT",
  "TAG_CONTENT_MISMATCH",
  "INCORRECT_CATEGORY",
  "ABUSIVE_CONTENT",
  "PROMOTIONAL",
  "SCAM",
] as const;

interface DecisionButtonsProps {
  reference: string;
  name: string;
  tabIndex: number;
  onError: (error: unknown) => void;
}

/** In the sandbox the person can be the reviewer. */
export function DecisionButtons({ reference, name, tabIndex, onError }: DecisionButtonsProps) {
  const { t } = useTranslation("review");
  const reasonTitle = useReasonTitle();
  const decide = useCommand("decide_review");
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState<(typeof REASONS)[number]>("INVALID_FORMAT");
  const send = (event: "APPROVED" | "REJECTED") => {
    setRejecting(false);
    onError(null);
    decide.mutate({ reference, event, reason: event === "REJECTED" ? reason : null }, { onError });
  };
  return (
    <Group gap="0.375rem" mt="0.25rem">
      <Button
        size="compact-xs"
        variant="light"
        leftSection={<IconCheck size={14} aria-hidden />}
        tabIndex={tabIndex}
        loading={decide.isPending}
        aria-label={t("approveNamed", { name })}
        onClick={() => send("APPROVED")}
      >
        {t("approve")}
      </Button>
      <Button
        size="compact-xs"
        variant="light"
        color="red"
        leftSection={<IconX size={14} aria-hidden />}
        tabIndex={tabIndex}
        disabled={decide.isPending}
        aria-label={t("rejectNamed", { name })}
        onClick={() => setRejecting(true)}
      >
        {t("reject")}
      </Button>
      <Modal
        opened={rejecting}
        onClose={() => setRejecting(false)}
        title={t("rejectTitle", { name })}
        closeButtonProps={{ "aria-label": t("cancel", { ns: "common" }) }}
      >
        <Select
          label={t("reason")}
          description={t("reasonHint")}
          allowDeselect={false}
          data-autofocus
          value={reason}
          onChange={(value) => setReason(REASONS.find((known) => known === value) ?? "INVALID_FORMAT")}
          data={REASONS.map((value) => ({ value, label: `${value}: ${reasonTitle(value)}` }))}
        />
        <Group justify="flex-end" gap="0.5rem" mt="1rem">
          <Button variant="default" onClick={() => setRejecting(false)}>
            {t("cancel", { ns: "common" })}
          </Button>
          <Button color="red" onClick={() => send("REJECTED")}>
            {t("reject")}
          </Button>
        </Group>
      </Modal>
    </Group>
  );
}

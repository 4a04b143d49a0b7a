import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { ActionBar, ActionFooter } from "@/components/action-bar";
import { ErrorNotice } from "@/components/error-notice";
import type { Sending } from "./use-sending";

interface SendBarProps {
  sending: Sending;
  sandbox: boolean;
  /** Fields that need attention. */
  missing: number;
  /** Whether nothing can be sent whatever is typed. */
  blocked: boolean;
}

/** Below the form: where the message goes, what became of the attempt, and the button. */
export function SendBar({ sending, sandbox, missing, blocked }: SendBarProps) {
  const { t } = useTranslation("sends");
  const { state, failure } = sending;
  const words = () => {
    if (state !== "idle") return t(`form.${state}`);
    if (missing > 0) return t("form.missing", { count: missing });
    return t(sandbox ? "form.sandbox" : "form.real");
  };
  return (
    <ActionFooter>
      {failure && <ErrorNotice error={failure} />}
      <ActionBar status={words()}>
        <Button
          size="sm"
          leftSection={<IconSend size={16} aria-hidden />}
          loading={state !== "idle"}
          disabled={blocked}
          onClick={() => void sending.submit()}
        >
          {t("form.send")}
        </Button>
      </ActionBar>
    </ActionFooter>
  );
}

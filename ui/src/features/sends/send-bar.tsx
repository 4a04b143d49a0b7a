import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Cost } from "@/bindings/model";
import { ActionBar, ActionFooter } from "@/components/action-bar";
import { ErrorNotice } from "@/components/error-notice";
import { useMoney } from "@/lib/money";
import type { Sending } from "./use-sending";

interface SendBarProps {
  sending: Sending;
  sandbox: boolean;
  /** Fields that need attention. */
  missing: number;
  /** Whether nothing can be sent whatever is typed. */
  blocked: boolean;
  /** What the message costs, where that is known. */
  cost?: Cost | undefined;
}

/** Below the form: where the message goes, what became of the attempt, and the button. */
export function SendBar({ sending, sandbox, missing, blocked, cost }: SendBarProps) {
  const { t } = useTranslation("sends");
  const money = useMoney();
  const { state, failure } = sending;
  const words = () => {
    if (state !== "idle") return t(`form.${state}`);
    if (missing > 0) return t("form.missing", { count: missing });
    const destination = t(sandbox ? "form.sandbox" : "form.real");
    if (!cost) return destination;
    if (cost.priced === 0) return cost.unknown > 0 ? `${destination} ${t("oneUnknown", { ns: "costs" })}` : destination;
    const amount = money(cost.total, cost.currency, "price");
    return `${destination} ${t(cost.isSample ? "oneSample" : "one", { ns: "costs", amount, nest: false })}`;
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

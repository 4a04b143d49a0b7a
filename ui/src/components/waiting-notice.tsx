import { Alert, Button } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useErrorCodeText } from "./error-code";
import { Instant } from "./instant";

interface Props {
  /** Unix milliseconds. */
  until: number;
  /** A code of the channel, an HTTP status, `offline`, `unknown` after a lost answer, or `notBefore` until a set time. */
  reason: string | null | undefined;
  onCancel?: () => void;
}

/** Says that a job, or a message, waits before its next request, until when and why. */
export function WaitingNotice({ until, reason, onCancel }: Props) {
  const { t } = useTranslation("common", { keyPrefix: "waiting" });
  const codeText = useErrorCodeText();
  const why = () => {
    if (reason === "offline") return t("offline");
    if (reason === "notBefore") return t("notBefore");
    if (reason === "unknown") return t("unknown");
    const words = codeText(reason)?.meaning ?? t(reason === "429" ? "throttled" : "busy");
    return reason ? `${words} (${reason})` : words;
  };
  return (
    <Alert color="yellow" variant="light" p="xs" icon={<IconClock size={18} aria-hidden />} role="status">
      {t("until")} <Instant at={until} format="moment" />. {why()} {t("goesOn")}
      {onCancel && (
        <div>
          <Button size="compact-sm" variant="default" mt="xs" onClick={onCancel}>
            {t("cancel")}
          </Button>
        </div>
      )}
    </Alert>
  );
}

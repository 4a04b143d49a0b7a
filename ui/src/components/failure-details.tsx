import { Button, CopyButton, Group } from "@mantine/core";
import { IconCheck, IconCopy, IconReload } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { call } from "@/lib/ipc/client";
import { DeskFailure } from "@/lib/ipc/errors";

interface FailureDetailsProps {
  /** What stopped the screen or the page. */
  error: unknown;
  /** The components around it, as React lists them. */
  components?: string | undefined;
}

/**
 * What to do about an error of the page: its details, which the host has freed of what people wrote, and a reload.
 * Drafts of templates are stored; other input of the page is lost.
 */
export function FailureDetails({ error, components = "" }: FailureDetailsProps) {
  const { t } = useTranslation("shell");
  const details = useDetails(error, components);
  return (
    <Group gap="xs">
      <Button leftSection={<IconReload size={15} aria-hidden />} onClick={() => window.location.reload()}>
        {t("crash.reload")}
      </Button>
      {details !== undefined && (
        <CopyButton value={details}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
              onClick={copy}
            >
              {copied ? t("copied", { ns: "common" }) : t("crash.copy")}
            </Button>
          )}
        </CopyButton>
      )}
    </Group>
  );
}

/** The details that may be shown to others; absent for an answer of the host, which is no error of the page. */
function useDetails(error: unknown, components: string): string | undefined {
  const [details, setDetails] = useState<string>();
  useEffect(() => {
    if (error instanceof DeskFailure) return;
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    const failure = { name, message, stack: stack ?? "", components, screen: window.location.hash };
    let current = true;
    call("report_page_failure", failure).then(
      ({ text }) => current && setDetails(text),
      // Without its host the page still offers the reload.
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [error, components]);
  return details;
}

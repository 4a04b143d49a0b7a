import { Button, CloseButton } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { BubbleButton } from "@/bindings/model";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./sandbox-phone.module.css";

const CALLS = new Set(["PHONE_NUMBER", "VOICE_CALL"]);
const COPIES = new Set(["COPY_CODE", "OTP"]);

/** What a tap on a button would do that leads out of the conversation. The address is read before it is opened. */
export function TapNote({ button, onClose }: { button: BubbleButton; onClose: () => void }) {
  const { t } = useTranslation("sandboxPhone");
  const openLink = useCommand("open_link");
  const [opener] = useState(() => document.activeElement);
  const { kind, label, target } = button;
  const isLink = kind === "URL" && Boolean(target);
  return (
    <section className={classes.tapNote} aria-label={t("tap.label", { label })}>
      <div className={classes.tapWords} role="status">
        <span>{t(wordsOf(button), { label })}</span>
        {target && <code>{target}</code>}
      </div>
      {target && (
        <div className={classes.tapActions}>
          <CopyButton text={target} label={t(isLink ? "tap.copyAddress" : "tap.copy", { target })} />
          {isLink && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconExternalLink size={14} aria-hidden />}
              loading={openLink.isPending}
              onClick={() => openLink.mutate({ url: target })}
            >
              {t("tap.open")}
            </Button>
          )}
        </div>
      )}
      <CloseButton
        className={classes.tapClose}
        size="sm"
        aria-label={t("close", { ns: "common" })}
        onClick={() => {
          onClose();
          if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
        }}
      />
      {openLink.error && <ErrorNotice error={openLink.error} />}
    </section>
  );
}

function wordsOf({ kind, target }: BubbleButton) {
  if (!target) return "tap.leadsOut";
  if (kind === "URL") return "tap.leadsTo";
  if (CALLS.has(kind)) return "tap.calls";
  return COPIES.has(kind) ? "tap.copies" : "tap.leadsTo";
}

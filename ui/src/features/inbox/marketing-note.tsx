import { Button } from "@mantine/core";
import { IconBellOff, IconBellQuestion } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ConversationPage } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { showFailure } from "@/components/show-failure";
import { useAllowMarketing } from "@/components/use-allow-marketing";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./inbox.module.css";

interface MarketingNoteProps {
  workspace: string;
  contact: string;
  name: string;
  /** Our number of the conversation: a note is about its business. */
  number: ConversationPage["number"];
  stop: ConversationPage["marketingStop"];
}

/** Below a message that may be a wish to stop marketing: what it may mean, and the way to note it. */
export function StopWish({ workspace, contact, number }: Pick<MarketingNoteProps, "workspace" | "contact" | "number">) {
  const { t } = useTranslation("inbox");
  const note = useCommand("note_marketing");
  const stop = { workspace, contact, number: number ?? null, waba: null, isStopped: true };
  return (
    <div className={classes.wish} role="note">
      <IconBellQuestion size={15} stroke={1.7} aria-hidden />
      <span>{t("marketing.wish")}</span>
      <Button
        variant="default"
        size="compact-xs"
        loading={note.isPending}
        onClick={() => note.mutate(stop, { onError: showFailure })}
      >
        {t("marketing.stop")}
      </Button>
    </div>
  );
}

/** Whether marketing templates are sent to the contact; a note can say that they are not wanted. */
export function MarketingNote({ workspace, contact, name, number, stop }: MarketingNoteProps) {
  const { t } = useTranslation("inbox");
  const note = useCommand("note_marketing");
  const { allow, isPending } = useAllowMarketing(workspace);
  const whom = { contact, number: number ?? null, waba: null };
  return (
    <div className={classes.marketing}>
      {stop && (
        <p>
          <IconBellOff size={15} stroke={1.7} aria-hidden />
          <span>
            {t(`marketing.${stop.source}`)} <Instant at={stop.since} format="brief" />
            {stop.accounts && <> · {t("marketing.only", { accounts: stop.accounts, nest: false })}</>}
            {stop.source === "preference" && <> · {t("marketing.theirs")}</>}
          </span>
        </p>
      )}
      {/* Two buttons, so that a double click does not undo itself. */}
      {!stop && (
        <Button
          key="stop"
          variant="subtle"
          size="compact-xs"
          loading={note.isPending}
          title={t("marketing.stopHint")}
          onClick={() => note.mutate({ workspace, ...whom, isStopped: true }, { onError: showFailure })}
        >
          {t("marketing.stop")}
        </Button>
      )}
      {stop && stop.source !== "preference" && (
        <Button
          key="allow"
          variant="subtle"
          size="compact-xs"
          loading={isPending}
          onClick={() => allow({ ...whom, name, stop })}
        >
          {t("marketing.allow")}
        </Button>
      )}
    </div>
  );
}

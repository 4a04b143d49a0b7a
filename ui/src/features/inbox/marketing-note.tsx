import { Button } from "@mantine/core";
import { IconBellOff } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ConversationPage } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { showFailure } from "@/components/show-failure";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./inbox.module.css";

interface MarketingNoteProps {
  workspace: string;
  contact: string;
  /** Our number of the conversation: a note is about its business. */
  number: ConversationPage["number"];
  stop: ConversationPage["marketingStop"];
}

/** Whether marketing templates are sent to the contact; a note can say that they are not wanted. */
export function MarketingNote({ workspace, contact, number, stop }: MarketingNoteProps) {
  const { t } = useTranslation("inbox");
  const note = useCommand("note_marketing");
  const change = (isStopped: boolean) =>
    note.mutate({ workspace, contact, isStopped, number: number ?? null, waba: null }, { onError: showFailure });
  return (
    <div className={classes.marketing}>
      {stop && (
        <p>
          <IconBellOff size={15} stroke={1.7} aria-hidden />
          <span>
            {t(`marketing.${stop.source}`)} <Instant at={stop.since} format="brief" />
            {stop.accounts && <> · {t("marketing.only", { accounts: stop.accounts, nest: false })}</>}
          </span>
        </p>
      )}
      {stop?.source !== "preference" && (
        <Button
          variant="subtle"
          size="compact-xs"
          loading={note.isPending}
          title={stop ? undefined : t("marketing.stopHint")}
          onClick={() => change(!stop)}
        >
          {t(stop ? "marketing.allow" : "marketing.stop")}
        </Button>
      )}
    </div>
  );
}

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
  /** A note is about the business of this number of ours. */
  number: ConversationPage["number"];
  stop: ConversationPage["marketingStop"];
  /** What they stopped of our other businesses. */
  others: ConversationPage["otherStops"];
  /** The accounts that a note is about, where there are others. */
  accounts: ConversationPage["marketingAccounts"];
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

/** Whether marketing templates are sent to the contact, and from where not; a note can say that they are not wanted. */
export function MarketingNote({ workspace, contact, name, number, stop, others, accounts }: MarketingNoteProps) {
  const { t } = useTranslation("inbox");
  const note = useCommand("note_marketing");
  const { allow, isPending } = useAllowMarketing(workspace);
  const whom = { contact, number: number ?? null, waba: null };
  const stops = [
    ...(stop ? [{ stop, whom }] : []),
    ...others.map((other) => ({ stop: other.stop, whom: { contact, number: other.number, waba: other.waba } })),
  ];
  return (
    <div className={classes.marketing}>
      {stops.map((one) => (
        <div key={`${one.whom.number} ${one.whom.waba}`} className={classes.stop}>
          <p>
            <IconBellOff size={15} stroke={1.7} aria-hidden />
            <span>
              {t(`marketing.${one.stop.source}`)} <Instant at={one.stop.since} format="brief" />
              {one.stop.accounts && <> · {t("marketing.only", { accounts: one.stop.accounts, nest: false })}</>}
              {one.stop.source === "preference" && <> · {t("marketing.theirs")}</>}
            </span>
          </p>
          {one.stop.source !== "preference" && (
            <Button
              variant="subtle"
              size="compact-xs"
              loading={isPending}
              onClick={() => allow({ ...one.whom, name, stop: one.stop })}
            >
              {t("marketing.allow")}
            </Button>
          )}
        </div>
      ))}
      {/* Another button than the one above, so that a double click does not undo itself. */}
      {!stop && (
        <Button
          key="stop"
          variant="subtle"
          size="compact-xs"
          loading={note.isPending}
          title={accounts == null ? t("marketing.stopHint") : undefined}
          onClick={() => note.mutate({ workspace, ...whom, isStopped: true }, { onError: showFailure })}
        >
          {accounts == null ? t("marketing.stop") : t("marketing.stopOf", { accounts, nest: false })}
        </Button>
      )}
    </div>
  );
}

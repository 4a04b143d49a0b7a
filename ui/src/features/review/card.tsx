import { Badge, Button, Group, Tooltip } from "@mantine/core";
import {
  IconAlertTriangle,
  IconCalendarEvent,
  IconClockExclamation,
  IconCoins,
  IconCopyPlus,
  IconHourglassLow,
  IconReplace,
  IconSend,
  IconTool,
  IconTrashX,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  AccountState,
  ComingCategory,
  DraftRow,
  RaisedCategory,
  StatusCause,
  TemplateRow,
  WabaStatus,
} from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { ErrorNotice } from "@/components/error-notice";
import { useFlaggedText } from "@/components/flagged-text";
import { Instant, localTime } from "@/components/instant";
import { Quality } from "@/components/quality";
import { useAddedText } from "@/components/raised-category";
import { useReasonTitle } from "@/components/rejection-reason";
import { StateAge } from "@/components/state-age";
import { StatusBadge, useCategoryText } from "@/components/status-badge";
import { isAtRisk } from "@/lib/archival";
import { useCreateDraft } from "@/lib/create-draft";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { useNow } from "@/lib/now";
import { useAriaKeys } from "@/lib/shortcuts";
import { useDraftWabas, useHasSeveralWabas, useWabaName } from "@/lib/waba-names";
import { DecisionButtons } from "./decision-buttons";
import classes from "./review.module.css";

interface CardProps {
  /** Whether the tab key comes to this card of its column. */
  isStop: boolean;
  onFocus: () => void;
}

interface TemplateCardProps extends CardProps {
  row: TemplateRow;
  /** The account of its column, empty if unknown; absent where the column is a status. */
  waba: string | undefined;
  /** Its status in each account, the most restrictive first, if they differ. */
  statuses: readonly WabaStatus[] | undefined;
  /** Its category and quality in each account, if they differ. */
  accounts: readonly AccountState[] | undefined;
  /** Why and when it will be disabled, if that is announced. */
  flagged: StatusCause | undefined;
  /** The category that it will get, if that is announced. */
  comingCategory: ComingCategory | undefined;
  /** What is known of a category that costs more. */
  raisedCategory: RaisedCategory | undefined;
  /** Whether its review takes longer than usual. */
  isOverdue: boolean;
  /** Templates that are archived until this instant are at risk; Unix milliseconds. */
  riskUntil: number;
  /** How long a review usually takes, in milliseconds; only of a template in review. */
  usual: number | undefined;
  decides: boolean;
}

export function TemplateCard(props: TemplateCardProps) {
  const { row, waba, statuses, accounts, flagged, comingCategory, raisedCategory, isOverdue, riskUntil } = props;
  const { usual, decides, isStop, onFocus } = props;
  const { t } = useTranslation("review");
  const ariaKeys = useAriaKeys();
  const { id } = useWorkspace();
  const [wabaName, several] = [useWabaName(id), useHasSeveralWabas(id)];
  const category = useCategoryText();
  const languageName = useLanguageName();
  const duration = useDurationText();
  const reasonTitle = useReasonTitle();
  const flaggedText = useFlaggedText();
  const fix = useCreateDraft();
  const [error, setError] = useState<unknown>(null);
  const tabIndex = isStop ? 0 : -1;
  const inAccount = accounts?.find((of) => of.waba === waba);
  const quality = inAccount?.quality ?? row.quality;
  const isSendable = row.status === "APPROVED" && !row.archived;
  return (
    <article className={classes.card} data-card onFocus={onFocus}>
      <Link
        to="/templates/$reference"
        params={{ reference: row.reference }}
        className={classes.name}
        aria-label={row.name}
        tabIndex={tabIndex}
      >
        <BrokenName name={row.name} />
      </Link>
      <p className={`${classes.about} ${classes.parts}`}>
        <span>{languageName(row.language)}</span> <span>{category(inAccount?.category ?? row.category)}</span>{" "}
        {several && row.wabas.length > 0 && !statuses && <span>{row.wabas.map(wabaName).join(", ")}</span>}{" "}
        {quality && <Quality value={quality} />}
      </p>
      {statuses ? (
        <ul className={classes.statuses} aria-label={t("byAccount")}>
          {statuses.map((of) => (
            <li key={of.waba}>
              <StatusBadge status={of.status} size="xs" /> <span title={of.waba}>{wabaName(of.waba)}</span>
            </li>
          ))}
        </ul>
      ) : (
        waba !== undefined && (
          <p>
            <StatusBadge status={row.status} size="xs" />
          </p>
        )
      )}
      {row.missingSince != null && (
        <Mark Icon={IconAlertTriangle}>
          <span title={t("missing.text", { ns: "templates" })}>{t("missing.badge", { ns: "templates" })}</span>
        </Mark>
      )}
      {flagged && (
        <Mark Icon={IconAlertTriangle}>
          <span>{flaggedText(flagged)}</span>
        </Mark>
      )}
      {comingCategory && (
        <Mark Icon={IconCalendarEvent}>
          <span>{t("categoryComing", { coming: category(comingCategory.category) })}</span>
          {comingCategory.at != null && (
            <>
              {" "}
              <span>
                <Instant at={comingCategory.at} format="full" />
              </span>
            </>
          )}
        </Mark>
      )}
      {row.askedCategory && (
        <Mark Icon={IconReplace}>
          <span>{t("categoryChanged", { asked: category(row.askedCategory), got: category(row.category) })}</span>
        </Mark>
      )}
      {raisedCategory && <Raised raised={raisedCategory} />}
      {row.rejectedReason && (
        <p className={classes.reason} title={row.rejectedReason}>
          {reasonTitle(row.rejectedReason)}
        </p>
      )}
      {isOverdue ? (
        <Mark Icon={IconClockExclamation}>
          <StateAge row={row} /> <span>{t("overdue")}</span>
        </Mark>
      ) : (
        <p className={`${classes.since} ${classes.parts}`}>
          {usual !== undefined && <span>{t("waiting", { time: duration(usual) })}</span>} <StateAge row={row} />
        </p>
      )}
      {!row.archived && isAtRisk(row, riskUntil) && <Risk row={row} />}
      {row.archived && row.upstreamDeletionAt != null && <Countdown at={row.upstreamDeletionAt} />}
      {row.status === "REJECTED" && !row.archived && (
        <Group gap="0.375rem" mt="0.25rem">
          <Button
            size="compact-xs"
            color="red"
            variant="light"
            data-fix
            tabIndex={tabIndex}
            leftSection={<IconTool size={14} aria-hidden />}
            loading={fix.isPending}
            aria-label={t("fixNamed", { name: row.name })}
            aria-keyshortcuts={ariaKeys("fixCard")}
            onClick={() => fix.begin({ fromTemplate: row.reference, edit: true })}
          >
            {t("fix")}
          </Button>
        </Group>
      )}
      {(raisedCategory || isSendable) && (
        <Group gap="0.375rem" mt="0.25rem">
          {raisedCategory && (
            <Button
              className={classes.action}
              size="compact-xs"
              variant="light"
              tabIndex={tabIndex}
              leftSection={<IconCopyPlus size={14} aria-hidden />}
              loading={fix.isPending}
              aria-label={t("raised.moveNamed", { ns: "costs", name: row.name })}
              onClick={() => fix.begin({ fromTemplate: row.reference, edit: false, asUtility: true })}
            >
              {t("raised.move", { ns: "costs" })}
            </Button>
          )}
          {isSendable && (
            <Button
              size="compact-xs"
              variant="light"
              tabIndex={tabIndex}
              leftSection={<IconSend size={14} aria-hidden />}
              aria-label={t("testSendNamed", { name: row.name })}
              renderRoot={(props) => <Link to="/sends/new" search={{ reference: row.reference }} {...props} />}
            >
              {t("testSend")}
            </Button>
          )}
        </Group>
      )}
      {decides && <DecisionButtons reference={row.reference} name={row.name} tabIndex={tabIndex} onError={setError} />}
      {(error ?? fix.error) !== null && <ErrorNotice error={error ?? fix.error} />}
    </article>
  );
}

/** A name that breaks after its underscores, as after the spaces that they replace; its link has the whole name. */
function BrokenName({ name }: { name: string }) {
  const words = name.split(/(?<=_)/);
  return words.map((word, index) => (
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {word}
    </Fragment>
  ));
}

/** Something about a card that should not be overlooked. */
function Mark({ Icon, children }: { Icon: typeof IconReplace; children: ReactNode }) {
  return (
    <p className={classes.mark}>
      <Icon size={14} stroke={1.9} aria-hidden />
      <span className={classes.parts}>{children}</span>
    </p>
  );
}

/** What a category that costs more adds to a month, and until when a review of it can be requested. */
function Raised({ raised: { month, appealUntil } }: { raised: RaisedCategory }) {
  const { t, i18n } = useTranslation("costs");
  const added = useAddedText()(month);
  const now = useNow();
  const isPossible = appealUntil != null && appealUntil > now;
  if (!added && !isPossible) return null;
  return (
    <Mark Icon={IconCoins}>
      {added && <span>{added}</span>}{" "}
      {isPossible && <span>{t("raised.untilShort", { date: localTime(appealUntil, i18n.language) })}</span>}
    </Mark>
  );
}

/** When the channel archives a template that is not used. */
function Risk({ row: { archival } }: { row: TemplateRow }) {
  const { t, i18n } = useTranslation("review");
  const at = archival?.archivedAt ?? 0;
  const isDue = at <= useNow();
  const date = localTime((isDue ? archival?.lastActivity : at) ?? 0, i18n.language);
  return (
    <Mark Icon={IconHourglassLow}>
      <span title={t("archival.elsewhere", { ns: "templates" })}>
        {t(isDue ? "archival.past" : "archival.by", { date })}
      </span>
    </Mark>
  );
}

/** When the channel deletes what is archived: what it is known to do, which the provider does not promise. */
function Countdown({ at }: { at: number }) {
  const { t } = useTranslation("review");
  const duration = useDurationText();
  const { archived } = useBootstrap().channelDays;
  const left = at - useNow();
  return (
    <Tooltip label={t("archive.upstream", { ns: "bulkActions", count: archived })} multiline maw="20rem">
      <p className={classes.mark}>
        <IconTrashX size={14} stroke={1.9} aria-hidden />
        <span>
          {left > 0 ? t("deletion.in", { time: duration(left) }) : t("deletion.past")}{" "}
          <span className={classes.since}>{t("deletion.upstream")}</span>
        </span>
      </p>
    </Tooltip>
  );
}

export function DraftCard({ draft, isStop, onFocus }: CardProps & { draft: DraftRow }) {
  const { t } = useTranslation("review");
  const languageName = useLanguageName();
  const accounts = useDraftWabas(useWorkspace().id)(draft.wabaIds);
  return (
    <article className={classes.card} data-card onFocus={onFocus}>
      <Link
        to="/drafts/$draft"
        params={{ draft: draft.id }}
        className={classes.name}
        aria-label={draft.name || undefined}
        tabIndex={isStop ? 0 : -1}
      >
        {draft.name === "" ? t("unnamed") : <BrokenName name={draft.name} />}
      </Link>
      <p className={classes.about}>
        {draft.language ? languageName(draft.language) : t("noLanguage")}
        {accounts && ` · ${accounts}`}
        {draft.edits && (
          <Badge size="xs" variant="light" ml="xs">
            {t("edit")}
          </Badge>
        )}
      </p>
      <p className={classes.since}>
        {t("saved")} <Instant at={draft.updatedAt} />
      </p>
    </article>
  );
}

import { Badge, Checkbox } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { StatusCause, TemplateRow, WabaStatus } from "@/bindings/app";
import { useFlaggedText } from "@/components/flagged-text";
import { Hint } from "@/components/hint";
import { Instant, localTime } from "@/components/instant";
import { Quality } from "@/components/quality";
import { RowCheckbox } from "@/components/row-checkbox";
import { StateAge } from "@/components/state-age";
import { StatusBadge, useCategoryText, useStatusText } from "@/components/status-badge";
import { isAtRisk } from "@/lib/archival";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { useNow } from "@/lib/now";
import { useWabaName } from "@/lib/waba-names";
import shared from "../templates.module.css";
import classes from "./template-list.module.css";

interface ColumnsProps {
  total: number;
  all: boolean;
  some: boolean;
  /** Whether the accounts have a column. */
  withAccounts: boolean;
  onMarkAll: () => void;
}

/** Names of the columns, and the way to choose all rows. */
export function Columns({ total, all, some, withAccounts, onMarkAll }: ColumnsProps) {
  const { t } = useTranslation("templates");
  return (
    <div className={`${shared.columns} ${classes.columns} ${classes.grid}`} data-accounts={withAccounts || undefined}>
      <Hint label={() => t("selection.allHint", { count: total })}>
        <Checkbox
          size="xs"
          aria-label={t("selection.all")}
          checked={all}
          indeterminate={some && !all}
          onChange={onMarkAll}
        />
      </Hint>
      <span aria-hidden>
        {t("column.name")}
        <span className={shared.count}>{t("count", { count: total })}</span>
      </span>
      <span aria-hidden>{t("column.language")}</span>
      <span aria-hidden>{t("column.category")}</span>
      <span aria-hidden>{t("column.status")}</span>
      {withAccounts && <span aria-hidden>{t("column.account")}</span>}
      <span aria-hidden>{t("column.quality")}</span>
      <span aria-hidden>{t("column.sent")}</span>
    </div>
  );
}

interface RowProps {
  row: TemplateRow;
  /** Its status in each account, the most restrictive first, if they differ. */
  statuses: readonly WabaStatus[] | undefined;
  /** Why and when it will be disabled, if that is announced. */
  flagged: StatusCause | undefined;
  withAccounts: boolean;
  /** Templates that are archived until this instant are at risk; Unix milliseconds. */
  riskUntil: number;
  marked: boolean;
  onMark: (range: boolean) => void;
}

export function Row({ row, statuses, flagged, withAccounts, riskUntil, marked, onMark }: RowProps) {
  const { t } = useTranslation("templates");
  const categoryText = useCategoryText();
  const languageName = useLanguageName();
  const wabaName = useWabaName(useWorkspace().id);
  const flaggedText = useFlaggedText();
  // In the order of the badges.
  const wabas = statuses?.map(({ waba }) => waba) ?? row.wabas;
  const accounts = wabas.map(wabaName).join(", ");
  return (
    <div className={`${shared.row} ${classes.grid}`} data-accounts={withAccounts || undefined}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a range is chosen without selecting the text between */}
      <span className={classes.check} onMouseDown={(event) => event.shiftKey && event.preventDefault()}>
        <RowCheckbox
          label={t("selection.one", { name: row.name, language: row.language })}
          checked={marked}
          onChange={(event) => onMark((event.nativeEvent as unknown as { shiftKey?: boolean }).shiftKey ?? false)}
        />
      </span>
      <div className={shared.words}>
        <span className={shared.name}>{row.name}</span>
        <span className={shared.excerpt}>
          {withAccounts && <span className={classes.below}>{accounts} · </span>}
          {row.excerpt}
        </span>
      </div>
      <span className={shared.language} title={row.language}>
        {languageName(row.language)}
      </span>
      <span className={classes.category}>
        {categoryText(row.category)}
        {row.askedCategory != null && (
          <Badge size="xs" variant="light" color="orange">
            {t("asked", { category: categoryText(row.askedCategory).toLocaleLowerCase() })}
          </Badge>
        )}
      </span>
      <span className={classes.status}>
        <span className={classes.badges}>
          {statuses ? <AccountStatuses statuses={statuses} /> : <StatusBadge status={row.status} />}
          {row.archived && row.status !== "ARCHIVED" && <StatusBadge status="ARCHIVED" />}
          {flagged && (
            <Hint label={() => t("cause.flagged")}>
              <Badge size="sm" variant="light" color="orange">
                {flaggedText(flagged)}
              </Badge>
            </Hint>
          )}
          {row.missingSince != null && (
            <Hint label={() => t("missing.text")}>
              <Badge size="sm" variant="light" color="orange">
                {t("missing.badge")}
              </Badge>
            </Hint>
          )}
        </span>
        <span className={classes.age}>
          <StateAge row={row} />
        </span>
        {isAtRisk(row, riskUntil) && (
          <span className={classes.riskBelow}>
            <RiskMark row={row} />
          </span>
        )}
      </span>
      {withAccounts && (
        <span className={classes.account} title={accounts}>
          {accounts}
        </span>
      )}
      <span className={classes.quality}>
        <Quality value={row.quality} />
      </span>
      <span className={shared.updated}>
        {row.lastSentAt == null ? t("neverSent") : <Instant at={row.lastSentAt} />}
        {isAtRisk(row, riskUntil) && <RiskMark row={row} />}
      </span>
    </div>
  );
}

/** When the channel archives or deletes a template that is not used. */
function RiskMark({ row: { archival } }: { row: TemplateRow }) {
  const { t, i18n } = useTranslation("templates");
  const isArchived = archival?.kind === "archived";
  const at = (isArchived ? archival?.deletedAt : archival?.archivedAt) ?? 0;
  const isDue = at <= useNow();
  const date = localTime(at, i18n.language);
  return (
    <Hint label={() => t("archival.elsewhere")}>
      <span className={classes.risk}>
        {isArchived ? t("archival.deleted", { date }) : isDue ? t("archival.overdue") : t("archival.by", { date })}
      </span>
    </Hint>
  );
}

/** What is read out about a row: its name, language and statuses, its accounts, and whether it was left out of a listing. */
export function useRowLabel(
  withAccounts: boolean,
): (row: TemplateRow, statuses?: readonly WabaStatus[], flagged?: StatusCause) => string {
  const { t } = useTranslation("templates");
  const statusText = useStatusText();
  const statusesText = useStatusesText();
  const flaggedText = useFlaggedText();
  const wabaName = useWabaName(useWorkspace().id);
  return (row, statuses, flagged) => {
    const accounts = statuses ? statusesText(statuses) : withAccounts ? row.wabas.map(wabaName).join(", ") : "";
    return [
      `${row.name} ${row.language} ${statusText(row.archived ? "ARCHIVED" : row.status)}`,
      accounts,
      flagged ? flaggedText(flagged) : "",
      row.missingSince == null ? "" : t("missing.badge"),
    ]
      .filter((part) => part !== "")
      .join(", ");
  };
}

/** Statuses of which a row names the accounts: it has two lines. */
const MAX_NAMED = 2;

/** Each status with the accounts that have it, the most restrictive first. */
function AccountStatuses({ statuses }: { statuses: readonly WabaStatus[] }) {
  const wabaName = useWabaName(useWorkspace().id);
  const text = useStatusesText();
  const words = [...new Set(statuses.map(({ status }) => status))];
  return (
    <Hint label={() => text(statuses)}>
      <span className={classes.byAccount} role="img" aria-label={text(statuses)}>
        {words.slice(0, MAX_NAMED).map((word, at) => (
          <span key={word} className={classes.ofAccount}>
            <StatusBadge status={word} size="xs" />
            <span className={classes.account}>
              {statuses
                .filter(({ status }) => status === word)
                .map(({ waba }) => wabaName(waba))
                .join(", ")}
            </span>
            {at === MAX_NAMED - 1 && words.length > MAX_NAMED && <span>+{words.length - MAX_NAMED}</span>}
          </span>
        ))}
      </span>
    </Hint>
  );
}

/** Each account with its status, in words. */
function useStatusesText(): (statuses: readonly WabaStatus[]) => string {
  const wabaName = useWabaName(useWorkspace().id);
  const statusText = useStatusText();
  return (statuses) => statuses.map(({ waba, status }) => `${wabaName(waba)}: ${statusText(status)}`).join(" · ");
}

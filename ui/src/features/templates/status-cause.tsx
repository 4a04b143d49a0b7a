import { Alert } from "@mantine/core";
import { IconAlertTriangle, IconBan, IconClock, IconLock, IconPlayerPause, IconReplace } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { StatusCauseKind, TemplateDetail } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { Instant } from "@/components/instant";
import { Quality } from "@/components/quality";
import { RaisedCategoryFacts } from "@/components/raised-category";
import { useReasonTitle } from "@/components/rejection-reason";
import { useCategoryText, useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { useNow } from "@/lib/now";
import { useWabaName } from "@/lib/waba-names";
import classes from "./template-screen.module.css";

const ICONS = {
  paused: IconPlayerPause,
  disabled: IconBan,
  flagged: IconAlertTriangle,
  inAppeal: IconClock,
  limitExceeded: IconAlertTriangle,
  locked: IconLock,
  lowQuality: IconAlertTriangle,
  mediumQuality: IconAlertTriangle,
} satisfies Record<StatusCauseKind, typeof IconBan>;

const stopsSends = (kind: StatusCauseKind) =>
  kind === "paused" || kind === "disabled" || kind === "inAppeal" || kind === "limitExceeded";

/** Whether low quality is the usual cause. */
const isOfQuality = (kind: StatusCauseKind) => kind === "paused" || kind === "disabled" || kind === "flagged";

/** Of a template that can't be sent or edited, will be disabled, or is rated below high: why, until when, what to do. */
export function StatusNotice({ detail }: { detail: TemplateDetail }) {
  const { t, i18n } = useTranslation("templates");
  const duration = useDurationText();
  const reasonText = useReasonTitle();
  const wabaName = useWabaName(useWorkspace().id);
  const { row, statusCause: cause } = detail;
  const now = useNow();
  if (cause == null) return null;
  const { kind } = cause;
  const quality = row.quality ?? "";
  const Icon = ICONS[kind];
  const title = cause.title ?? "";
  const isKnown = i18n.exists(`cause.title.${title}`, { ns: "templates" });
  const words = isKnown ? t(`cause.title.${title}` as "cause.title.FIRST_PAUSE") : title;
  const isInSome = detail.sendable && detail.wabaStatuses.length > 0;
  // The notice is about one of several accounts; a rating about each that has it.
  const rated = detail.accounts.filter((of) => of.quality === row.quality).map((of) => of.waba);
  const wabas = row.wabas.length < 2 ? [] : cause.waba ? [cause.waba] : cause.at == null ? rated : [];
  const left = cause.endsAt == null ? 0 : cause.endsAt - now;
  return (
    <Alert
      role="status"
      color={kind === "disabled" ? "red" : "yellow"}
      variant="light"
      icon={<Icon size={20} stroke={1.7} />}
      title={t(isInSome && stopsSends(kind) ? `cause.${kind}InSome` : `cause.${kind}`)}
    >
      <dl className={classes.facts}>
        {wabas.length > 0 && (
          <Fact label={t("cause.account", { count: wabas.length })}>{wabas.map(wabaName).join(", ")}</Fact>
        )}
        <Fact label={t("cause.why")} wide>
          {words === "" && !cause.reason && !cause.description
            ? t(isOfQuality(kind) ? "cause.unknown" : `cause.${kind}Text`)
            : [words, cause.reason ? reasonText(cause.reason) : "", cause.description ?? ""]
                .filter((part) => part !== "")
                .join(". ")}
        </Fact>
        {quality !== "" && (
          <Fact label={t("cause.quality")}>
            <Quality value={quality} />
          </Fact>
        )}
        {cause.at != null && (
          <Fact label={t("cause.since")}>
            <Instant at={cause.at} format="full" />
          </Fact>
        )}
        {kind === "paused" && (
          <Fact label={t("cause.ends")}>
            {cause.endsAt == null ? (
              t("cause.endUnknown")
            ) : (
              <>
                <Instant at={cause.endsAt} format="full" />{" "}
                {left > 0 ? t("cause.left", { time: duration(left) }) : t("cause.over")}
              </>
            )}
          </Fact>
        )}
        {(cause.disabledAt != null || cause.disabledOn) && (
          <Fact label={t("cause.disabledOn")}>
            {cause.disabledAt == null ? cause.disabledOn : <Instant at={cause.disabledAt} format="full" />}
          </Fact>
        )}
        <Fact label={t("cause.todo")} wide>
          {t(`cause.${kind}Todo`)}
        </Fact>
      </dl>
    </Alert>
  );
}

/** That a listing and what was reported shortly before it disagree. */
export function ContradictionNotice({ detail: { row, contradicted } }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const status = useStatusText();
  if (!contradicted) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      icon={<IconAlertTriangle size={20} stroke={1.7} />}
      title={t("contradiction.title", { listed: status(row.status), said: status(contradicted.status) })}
    >
      <p>
        {t("contradiction.at")} <Instant at={contradicted.at} format="full" />. {t("contradiction.todo")}
      </p>
    </Alert>
  );
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** That the category is another one than requested, or will be. */
export function CategoryNotice({ detail: { row, comingCategory, raisedCategory } }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const category = useCategoryText();
  if (!row.askedCategory && !comingCategory) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      icon={<IconReplace size={20} stroke={1.7} />}
      title={t(comingCategory ? "categoryNotice.coming" : "categoryNotice.changed")}
    >
      {row.askedCategory && (
        <p>{t("categoryNotice.asked", { asked: category(row.askedCategory), got: category(row.category) })}</p>
      )}
      {comingCategory && (
        <p>
          {t("categoryNotice.becomes", { now: category(row.category), coming: category(comingCategory.category) })}{" "}
          {comingCategory.at == null ? (
            t("categoryNotice.someTime")
          ) : (
            <>
              {t("categoryNotice.on")} <Instant at={comingCategory.at} format="full" />.
            </>
          )}
        </p>
      )}
      <p>
        {t("categoryNotice.decides")} {raisedCategory?.appealUntil == null && t("categoryNotice.todo")}
      </p>
      {raisedCategory && <RaisedCategoryFacts raised={raisedCategory} reference={row.reference} />}
    </Alert>
  );
}

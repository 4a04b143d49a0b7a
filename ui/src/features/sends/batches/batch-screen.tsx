import { Alert, Button, Group } from "@mantine/core";
import { IconFilterOff, IconInfoCircle, IconPlayerPause } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Batch, BatchRow } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { Empty } from "@/components/empty";
import { useErrorCodeText } from "@/components/error-code";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { useProblemText } from "@/components/send-problem-text";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import { Toolbar } from "@/components/toolbar";
import { VirtualList } from "@/components/virtual-list";
import { WaitingNotice } from "@/components/waiting-notice";
import { useLanguageName } from "@/lib/language-name";
import { useNumberName } from "@/lib/number-names";
import { isUnderWay } from "@/lib/run-state";
import { Back } from "../back";
import { sendsQueries } from "../queries";
import sends from "../sends.module.css";
import { BatchActions, ResendUnknown } from "./batch-actions";
import { BatchBadge } from "./batch-badge";
import { BatchCost } from "./batch-cost";
import { BatchGroups, GroupFilter } from "./batch-groups";
import { BatchMapping } from "./batch-mapping";
import { BatchProgress } from "./batch-progress";
import classes from "./batches.module.css";
import { finishedRows, OUTCOME_GROUPS, ROW_STATES, remaining } from "./counts";
import { sameDigits } from "./numbers-note";
import { RoundNote } from "./round-actions";
import { RowMessage } from "./row-message";
import { countedState, shownRowState } from "./shown-state";
import { useSourceText } from "./source-text";
import { useBatchRows } from "./use-batch-rows";

const route = getRouteApi("/sends/batches/$batch");

/** One batch: how far it is, what became of each row, and how to stop it or go on. */
export function BatchScreen() {
  const { t } = useTranslation("batches");
  const { batch: id } = route.useParams();
  const found = useQuery(sendsQueries.batch(id));
  const source = useSourceText();
  const languageName = useLanguageName();
  const numberName = useNumberName();
  const batch = found.data?.batch;
  const restriction = found.data?.restriction ?? null;
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/batches" />}
        title={batch ? t("batch.title", { name: batch.templateName }) : t("batch.one")}
        aside={batch && <BatchBadge batch={batch} />}
        detail={
          batch && (
            <>
              {languageName(batch.language)} · {source(batch)} ·{" "}
              {t("batch.from", { number: numberName(batch.number) ?? batch.number, nest: false })} ·{" "}
              <Instant at={batch.startedAt ?? batch.createdAt} format="full" />
            </>
          )
        }
      >
        {batch && <BatchActions batch={batch} restriction={restriction} />}
      </PageHeader>
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {found.isPending && <Loading />}
      {batch && (
        <>
          <State batch={batch} restriction={restriction} />
          <BatchCost batch={batch.id} />
          <BatchMapping batch={batch} />
          <BatchGroups batch={batch} />
          <Rows key={batch.id} batch={batch} />
        </>
      )}
    </>
  );
}

/** Progress in words and as a bar, and what a person should know about it. */
function State({ batch, restriction }: { batch: Batch; restriction: SendProblem | null }) {
  const { t } = useTranslation("batches");
  const problem = useProblemText();
  const { total, counts, state, ending, waitingUntil, waitingReason, error, categoryRaised } = batch;
  const isNumberGone = restriction?.code === "number.unknown";
  const isWaiting = isUnderWay(batch) && waitingUntil != null;
  return (
    <div className={classes.state}>
      <p role="status">
        {state !== "planned" && (
          <>
            <strong>{t("progress.done", { count: total, done: finishedRows(batch) })}</strong>{" "}
          </>
        )}
        {!(isWaiting && state === "running") &&
          (ending
            ? t(`batch.ending.${ending}`, { count: counts.ended })
            : t(state === "planned" && batch.isHalf ? "divide.planned" : `batch.state.${state}`))}
      </p>
      {state !== "planned" && <BatchProgress batch={batch} size={10} />}
      {isWaiting && <WaitingNotice until={waitingUntil} reason={waitingReason} />}
      {batch.origin && <RoundNote batch={batch} origin={batch.origin} />}
      {restriction && remaining(batch) > 0 && (
        <Alert
          color="orange"
          variant="light"
          p="xs"
          icon={<IconPlayerPause size={18} aria-hidden />}
          title={t(isNumberGone ? "batch.numberGone" : "batch.restricted")}
        >
          {isNumberGone ? t("batch.numberGoneText") : problem(restriction)}
        </Alert>
      )}
      {state === "interrupted" && !restriction && (
        <Alert
          color="orange"
          variant="light"
          p="xs"
          icon={<IconPlayerPause size={18} aria-hidden />}
          title={t(categoryRaised ? "batch.categoryRaised" : "batch.interrupted")}
        >
          {t(
            categoryRaised
              ? "batch.categoryRaisedText"
              : remaining(batch) > 0
                ? error?.code === "unauthorized" || error?.code === "missingCredentials"
                  ? "batch.interruptedCredentials"
                  : "batch.interruptedText"
                : "batch.interruptedRefused",
          )}
        </Alert>
      )}
      {state === "interrupted" && error && !categoryRaised && !restriction && <ErrorNotice error={error} />}
      {counts.unknown > 0 && (
        <Alert
          color="orange"
          variant="light"
          p="xs"
          icon={<IconInfoCircle size={18} aria-hidden />}
          title={t("unknown.title", { count: counts.unknown })}
        >
          {t("unknown.text")}
          <Group gap="xs" mt="xs">
            <Button
              size="compact-sm"
              variant="default"
              renderRoot={(props) => <Link to="." search={{ state: "unknown" }} {...props} />}
            >
              {t("unknown.show", { count: counts.unknown })}
            </Button>
            <ResendUnknown batch={batch} />
          </Group>
        </Alert>
      )}
    </div>
  );
}

function Rows({ batch }: { batch: Batch }) {
  const { t } = useTranslation("batches");
  const { state, group: word } = route.useSearch();
  const group = OUTCOME_GROUPS.find((known) => known === word);
  const navigate = useNavigate();
  const status = useStatusText();
  const text = useRowText();
  const [shown, setShown] = useState<number>();
  const { rows, all } = useBatchRows(batch.workspace, batch.id, state, group);
  const { hasNextPage, isFetching, fetchNextPage } = rows;
  return (
    <>
      <StateFilter batch={batch} />
      {group && <GroupFilter group={group} />}
      {rows.error && <ErrorNotice error={rows.error} onRetry={() => void rows.refetch()} />}
      {all === undefined && !rows.error && <Loading />}
      {all?.length === 0 && (
        <Empty
          Icon={IconFilterOff}
          title={group ? t("groups.nobody") : t("rows.nothing", { state: status(shownRowState(batch, state ?? "")) })}
        >
          <Button variant="default" renderRoot={(props) => <Link to="." search={{}} {...props} />}>
            {t("rows.all")}
          </Button>
        </Empty>
      )}
      {all !== undefined && all.length > 0 && (
        <div className={classes.rows}>
          <VirtualList
            key={`${state ?? ""} ${group ?? ""}`}
            rows={all}
            rowKey={({ row }) => String(row)}
            rowHeight={48}
            label={t("rows.label")}
            rowLabel={(row) =>
              [
                t("rows.row", { row: row.row }),
                row.name,
                row.formatted,
                status(shownRowState(batch, countedState(row))),
                text(row),
              ]
                .filter(Boolean)
                .join(", ")
            }
            onOpen={({ send, row }) => (send ? void navigate({ to: "/sends/$send", params: { send } }) : setShown(row))}
            onEnd={hasNextPage && !isFetching ? () => void fetchNextPage() : undefined}
            memory={`batch ${batch.id} ${state ?? ""} ${group ?? ""}`}
          >
            {(row) => (
              <div className={sends.row}>
                <span className={classes.line}>{row.row}</span>
                <div className={sends.words}>
                  <span className={sends.recipient}>{row.name || row.formatted}</span>
                  {/* One line: a row has the height of two. */}
                  <NumberLine row={row} />
                </div>
                <span className={classes.why} title={text(row)}>
                  {text(row)}
                </span>
                <span className={classes.badge}>
                  <StatusBadge status={shownRowState(batch, countedState(row))} />
                </span>
              </div>
            )}
          </VirtualList>
        </div>
      )}
      {shown !== undefined && <RowMessage batch={batch} row={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** The number under a name, and how it was written if that differs. */
function NumberLine({ row: { name, written, formatted } }: { row: BatchRow }) {
  const { t } = useTranslation("batches");
  const parts = [
    name && formatted,
    sameDigits(written, formatted) ? "" : t("numbers.written", { written, nest: false }),
  ].filter(Boolean);
  const text = parts.join(" · ");
  return (
    text !== "" && (
      <span className={sends.template} title={text}>
        {text}
      </span>
    )
  );
}

/** What stood against a row: why it was left out, or what the provider or the channel said. */
function useRowText(): (row: BatchRow) => string | undefined {
  const { t } = useTranslation("batches");
  const problem = useProblemText();
  const known = useErrorCodeText();
  return ({ problem: against, state, error, explanation }) => {
    if (against) return problem(against);
    if (state === "unknown") return t("rows.unknown");
    const meaning = known(explanation?.code)?.meaning ?? error;
    return [explanation?.code, meaning].filter(Boolean).join(" · ") || undefined;
  };
}

/** The legend of the bar; each state shows its rows alone. Rows that were left out when the batch was ended are a group. */
function StateFilter({ batch }: { batch: Batch }) {
  const { total, counts } = batch;
  const { t, i18n } = useTranslation("batches");
  const { state: named, group } = route.useSearch();
  const chosen = group === "ended" ? group : named;
  const navigate = route.useNavigate();
  const status = useStatusText();
  const number = new Intl.NumberFormat(i18n.language);
  const states = ROW_STATES.filter((state) => counts[state] > 0 || state === chosen);
  const show = (state: string | undefined) =>
    void navigate({
      search: state === undefined ? {} : state === "ended" ? { group: state } : { state },
      replace: true,
    });
  return (
    <Toolbar label={t("rows.filter")} className={classes.states}>
      {[undefined, ...states].map((state) => (
        <Button
          key={state ?? ""}
          size="compact-sm"
          radius="xl"
          fw={500}
          variant={state === chosen ? "filled" : "default"}
          aria-pressed={state === chosen}
          // Unknown statuses are shown in their rows and have no common name.
          disabled={state === "other"}
          onClick={() => show(state)}
        >
          {state === undefined
            ? t("rows.all")
            : state === "other"
              ? t("rows.other")
              : status(shownRowState(batch, state))}{" "}
          {number.format(state === undefined ? total : counts[state])}
        </Button>
      ))}
    </Toolbar>
  );
}

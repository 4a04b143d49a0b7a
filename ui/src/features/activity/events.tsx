import { Badge, Button } from "@mantine/core";
import { IconAntennaBars5, IconArrowUp, IconPlayerPause, IconPlayerPlay, IconSearch } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EventRow, EventTemplate } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { kindColor, useAccountText, useKindText, useSubjectText, useSummaryText } from "@/components/event-kinds";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PhoneNumber } from "@/components/phone-number";
import { ProjectionBar } from "@/components/projection-bar";
import { SplitView } from "@/components/split-view";
import { Toolbar } from "@/components/toolbar";
import { VirtualList, type VirtualListHandle } from "@/components/virtual-list";
import { useNarrowerThan } from "@/lib/appearance";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import classes from "./activity.module.css";
import { ComparisonPanel } from "./comparison-panel";
import { EventSearch, FilterChips, FilterFields } from "./event-filters";
import { EventPanel } from "./event-panel";
import { ExportEvents } from "./export-events";
import { FILTERS, filterOf, route } from "./filter";
import { ToReceiver } from "./to-receiver";
import { useEvents } from "./use-events";

/** The events of the workspace, newest first and live, and what is open beside them. */
export function Events() {
  const { t } = useTranslation("activity");
  const workspace = useWorkspace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [paused, setPaused] = useState(false);
  const [atTop, setAtTop] = useState(true);
  const list = useRef<VirtualListHandle>(null);
  const filter = filterOf(workspace.id, search);
  const { events, rows, missed, outdated, searchedTo, behind } = useEvents(filter, !paused && atTop);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = events;
  const filtered = FILTERS.some((name) => search[name] !== undefined);
  const loadMore = () => void fetchNextPage();

  // An empty list is at its top, whatever the one before it was.
  const empty = rows?.length === 0;
  useEffect(() => {
    if (empty) setAtTop(true);
  }, [empty]);

  const open = (event: string | undefined) =>
    void navigate({
      search: ({ event: _, ...rest }) => (event === undefined ? rest : { ...rest, event }),
    });
  const close = () => {
    void navigate({ search: ({ event: _, compare: __, ...rest }) => rest });
    list.current?.focus();
  };
  // Live again: refetch once the list is shown.
  const toNewest = () => {
    list.current?.toTop();
    setPaused(false);
  };

  const isNarrow = useNarrowerThan(STACKED);
  const { event, compare } = search;
  const choosing = compare !== undefined && (event === undefined || event === compare);
  useEffect(() => {
    if (choosing) list.current?.focus();
  }, [choosing]);
  const panel =
    compare !== undefined && event !== undefined && event !== compare ? (
      <ComparisonPanel key={`${compare} ${event}`} left={compare} right={event} onClose={close} />
    ) : event !== undefined ? (
      <EventPanel key={event} event={event} onClose={close} />
    ) : null;

  const isStacked = isNarrow || panel !== null;
  return (
    <>
      <Toolbar search={<EventSearch />} below={<FilterChips />}>
        <FilterFields />
        <Button
          h={36}
          variant={paused ? "filled" : "default"}
          aria-pressed={paused}
          leftSection={paused ? <IconPlayerPlay size={15} aria-hidden /> : <IconPlayerPause size={15} aria-hidden />}
          onClick={() => setPaused(!paused)}
        >
          {t(paused ? "resume" : "pause")}
        </Button>
        <ExportEvents filter={filter} />
      </Toolbar>
      <ProjectionBar />
      {behind > 0 && <Behind count={behind} />}
      {choosing && (
        <p className={classes.choosing} role="status">
          {t("compare.choose")}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() => void navigate({ search: ({ compare: _, ...rest }) => rest })}
          >
            {t("compare.cancel")}
          </Button>
        </p>
      )}
      {events.error && !isFetchNextPageError && (
        <ErrorNotice error={events.error} onRetry={() => void events.refetch()} />
      )}
      <div className={classes.frame}>
        <SplitView panel={panel} panelWidth="half">
          <div className={classes.list} data-open={panel !== null || undefined} data-stacked={isStacked || undefined}>
            {outdated && (paused || !atTop) && rows !== undefined && (
              <div className={classes.pill} role="status">
                <Button
                  size="compact-sm"
                  radius="xl"
                  leftSection={<IconArrowUp size={14} aria-hidden />}
                  onClick={toNewest}
                >
                  {missed > 0 ? t("missed", { count: missed }) : t("missedSome")}
                </Button>
              </div>
            )}
            {rows?.length !== 0 && !isStacked && <Columns />}
            {rows === undefined && !events.error && <Loading rows={12} rowHeight={ROW_HEIGHT} />}
            {rows?.length === 0 &&
              searchedTo === undefined &&
              (filtered ? (
                <Empty Icon={IconSearch} title={t("nothing.title")} text={t("nothing.text")} />
              ) : (
                <Empty Icon={IconAntennaBars5} title={t("empty.title")} text={t("empty.text")}>
                  <ToReceiver />
                </Empty>
              ))}
            {rows !== undefined && rows.length > 0 && (
              <List
                rows={rows}
                handle={list}
                memory={`events ${JSON.stringify(filter)}`}
                onTop={setAtTop}
                onOpen={({ id }) => open(id)}
                onEnd={
                  hasNextPage && !isFetchingNextPage && !isFetchNextPageError && searchedTo === undefined
                    ? loadMore
                    : undefined
                }
              />
            )}
            {searchedTo !== undefined && rows !== undefined && (
              <div className={classes.foot} role="status">
                <span>
                  {rows.length === 0 ? t("searched.nothing") : t("searched.found", { count: rows.length })}{" "}
                  {t("searched.to")} <Instant at={searchedTo} format="full" />.
                </span>
                <Button size="compact-sm" variant="default" loading={isFetchingNextPage} onClick={loadMore}>
                  {t("searched.goOn")}
                </Button>
              </div>
            )}
            {searchedTo === undefined && isFetchingNextPage && (
              <div className={classes.foot} role="status">
                {t("loadingMore")}
              </div>
            )}
            {isFetchNextPageError && <ErrorNotice error={events.error} onRetry={loadMore} />}
          </div>
        </SplitView>
      </div>
    </>
  );
}

/** Height of a row at the normal size of text. */
const ROW_HEIGHT = 44;

/** Windows narrower than this many em have no room for what happened beside who it is about. */
const STACKED = 71.99;

/** Names of the columns; each row names itself to a screen reader. */
function Columns() {
  const { t } = useTranslation("activity");
  return (
    <div className={classes.columns} aria-hidden>
      <span className={classes.time}>{t("column.time")}</span>
      <span className={classes.kind}>{t("column.kind")}</span>
      <span className={classes.words}>
        <span className={classes.subject}>{t("column.subject")}</span>
        <span className={classes.template}>{t("column.template")}</span>
        <span className={classes.summary}>{t("column.summary")}</span>
      </span>
    </div>
  );
}

/** Few stored events that are not shown yet; many are a matter of the bar. */
function Behind({ count }: { count: number }) {
  const { t } = useTranslation("activity");
  if (count > 2_000) return null;
  return (
    <p className={classes.behind} role="status">
      {t("behind", { count })}
    </p>
  );
}

interface ListProps {
  rows: EventRow[];
  handle: React.Ref<VirtualListHandle>;
  memory: string;
  onTop: (top: boolean) => void;
  onOpen: (row: EventRow) => void;
  onEnd: (() => void) | undefined;
}

function List({ rows, handle, memory, onTop, onOpen, onEnd }: ListProps) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const summary = useSummaryText();
  const subjectText = useSubjectText();
  const accountText = useAccountText();
  const { event, compare } = route.useSearch();
  return (
    <VirtualList
      // Another filter is another list, with a place of its own.
      key={memory}
      rows={rows}
      rowKey={({ id }) => id}
      rowHeight={ROW_HEIGHT}
      label={t("view.events")}
      rowLabel={(row) => {
        const template = isOfTemplate(row) ? undefined : row.ofTemplate?.name;
        const subject = [row.contactName, subjectText(row), template, accountText(row)].filter(Boolean).join(", ");
        const words = `${kindText(row.kind)}: ${subject}, ${summary(row)}`;
        return row.deliveries > 1 ? `${words}, ${t("deliveredBadge", { count: row.deliveries })}` : words;
      }}
      selected={event ?? compare}
      onOpen={onOpen}
      onEnd={onEnd}
      memory={memory}
      onTop={onTop}
      handle={handle}
    >
      {(row) => <Row row={row} />}
    </VirtualList>
  );
}

/** Whether an event is about a template, and not about a message that was made of one. */
const isOfTemplate = (row: EventRow) => row.template != null && row.contact == null;

/** The name of a template, which leads to its page where that is known. */
function TemplateName({ template: { name, language, reference } }: { template: EventTemplate }) {
  const languageName = useLanguageName();
  const title = language === "" ? name : `${name}, ${languageName(language)}`;
  if (reference == null) return <span title={title}>{name}</span>;
  return (
    <Link
      to="/templates/$reference"
      params={{ reference }}
      className={classes.link}
      title={title}
      // The grid is one stop of the tab key; the panel of the event has the link as well.
      tabIndex={-1}
      onClick={(event) => event.stopPropagation()}
    >
      {name}
    </Link>
  );
}

function Row({ row }: { row: EventRow }) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const summary = useSummaryText();
  const subject = useSubjectText()(row);
  const account = useAccountText()(row);
  const isNumber = row.contact != null && row.contactName == null;
  return (
    <div className={classes.row}>
      <span className={classes.time}>
        <Instant at={row.receivedAt} format="moment" />
      </span>
      <span className={classes.kind}>
        <Badge variant="light" size="sm" color={kindColor(row.kind)} style={{ maxWidth: "100%" }}>
          {kindText(row.kind)}
        </Badge>
      </span>
      <span className={classes.words}>
        <span
          className={classes.subject}
          data-number={isNumber || undefined}
          title={(row.contactName ?? subject) === row.subject ? undefined : row.subject}
        >
          {isOfTemplate(row) ? account : isNumber ? <PhoneNumber>{subject}</PhoneNumber> : (row.contactName ?? subject)}
        </span>
        <span className={classes.template}>{row.ofTemplate && <TemplateName template={row.ofTemplate} />}</span>
        <span className={classes.summary}>{summary(row)}</span>
      </span>
      {row.deliveries > 1 && (
        <Badge variant="default" size="sm" className={classes.deliveries}>
          <span className={classes.inFull}>{t("deliveredBadge", { count: row.deliveries })}</span>
          <span className={classes.inShort} title={t("deliveredBadge", { count: row.deliveries })}>
            ×{row.deliveries}
          </span>
        </Badge>
      )}
    </div>
  );
}

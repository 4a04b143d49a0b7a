import { Badge, Button, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconAntennaBars5, IconPlayerPause, IconPlayerPlay, IconSearch } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { EventRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { useDeskEvent } from "@/lib/ipc/events";
import { queries } from "@/lib/ipc/queries";
import classes from "./activity.module.css";
import { EventPanel } from "./event-panel";
import { KINDS, kindColor, useKindText, useSummaryText } from "./kinds";

/** The events of the workspace, newest first and live, and the one that is open beside them. */
export function Events() {
  const { t } = useTranslation("activity");
  const navigate = useNavigate({ from: "/activity" });
  const kindText = useKindText();
  const summary = useSummaryText();
  const workspace = useWorkspace();
  const search = useSearch({ from: "/activity" });
  const [typed, setTyped] = useState(search.q ?? "");
  const [words] = useDebouncedValue(typed.trim(), 120);
  const [paused, setPaused] = useState(false);
  const [missed, setMissed] = useState(0);
  const list = useRef<HTMLDivElement>(null);

  useDeskEvent((event) => {
    if (paused && event.type === "eventsStored" && event.workspaces.includes(workspace.id)) {
      setMissed((before) => before + event.count);
    }
  });
  useEffect(() => {
    void navigate({
      search: ({ q: _, ...rest }) => (words === "" ? rest : { ...rest, q: words }),
      replace: true,
    });
  }, [navigate, words]);

  const events = useInfiniteQuery({
    ...queries.events({ workspace: workspace.id, kind: search.kind ?? null, search: words === "" ? null : words }),
    // Paused, what is shown stays; another filter is still answered once.
    enabled: (query) => !paused || query.state.data === undefined,
  });
  const rows = useMemo(() => events.data?.pages.flatMap((page) => page.rows), [events.data]);
  const behind = events.data?.pages[0]?.behind ?? 0;
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = events;
  const filtered = words !== "" || search.kind !== undefined;

  const open = (event: string | undefined) =>
    void navigate({ search: ({ event: _, ...rest }) => (event ? { ...rest, event } : rest) });
  const close = () => {
    open(undefined);
    list.current?.querySelector<HTMLElement>('[role="grid"]')?.focus();
  };

  return (
    <>
      <div className={classes.filters}>
        <TextInput
          className={classes.grow}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          leftSection={<IconSearch size={16} aria-hidden />}
          placeholder={t("search")}
          aria-label={t("search")}
        />
        <Select
          aria-label={t("kindFilter")}
          placeholder={t("allKinds")}
          clearable
          clearButtonProps={{ "aria-label": t("allKinds") }}
          w={210}
          value={search.kind ?? null}
          onChange={(kind) => void navigate({ search: ({ kind: _, ...rest }) => (kind ? { ...rest, kind } : rest) })}
          data={KINDS.map((value) => ({ value, label: kindText(value) }))}
        />
        <Button
          h={36}
          variant={paused ? "filled" : "default"}
          aria-pressed={paused}
          leftSection={paused ? <IconPlayerPlay size={15} aria-hidden /> : <IconPlayerPause size={15} aria-hidden />}
          onClick={() => {
            setPaused(!paused);
            setMissed(0);
          }}
        >
          {paused ? (missed > 0 ? t("resumeMissed", { count: missed }) : t("resume")) : t("pause")}
        </Button>
      </div>
      {behind > 0 && (
        <p className={classes.behind} role="status">
          {t("behind", { count: behind })}
        </p>
      )}
      {events.error && <ErrorNotice error={events.error} onRetry={() => void events.refetch()} />}
      <div className={classes.split} data-open={search.event !== undefined || undefined}>
        <div className={classes.list} ref={list}>
          {rows === undefined && !events.error && <Loading />}
          {rows?.length === 0 &&
            (filtered ? (
              <Empty Icon={IconSearch} title={t("nothing.title")} text={t("nothing.text")} />
            ) : (
              <Empty Icon={IconAntennaBars5} title={t("empty.title")} text={t("empty.text")}>
                <Button
                  variant="default"
                  renderRoot={(props) => <Link to="/activity" search={{ view: "refused" }} {...props} />}
                >
                  {t("empty.toReceiver")}
                </Button>
              </Empty>
            ))}
          {rows !== undefined && rows.length > 0 && (
            <VirtualList
              rows={rows}
              rowKey={({ id }) => id}
              rowHeight={44}
              label={t("view.events")}
              rowLabel={(row) => `${kindText(row.kind)}: ${row.subject}, ${summary(row)}`}
              selected={search.event}
              onOpen={({ id }) => open(id)}
              onEnd={hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined}
              memory={`events ${workspace.id}`}
            >
              {(row) => <Row row={row} />}
            </VirtualList>
          )}
        </div>
        {search.event !== undefined && <EventPanel key={search.event} event={search.event} onClose={close} />}
      </div>
    </>
  );
}

function Row({ row }: { row: EventRow }) {
  const { t } = useTranslation("activity");
  const kindText = useKindText();
  const summary = useSummaryText();
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
      <span className={classes.subject}>{row.subject}</span>
      <span className={classes.summary}>{summary(row)}</span>
      {row.deliveries > 1 && (
        <Badge variant="default" size="sm" title={t("deliveredTimes", { count: row.deliveries })}>
          ×{row.deliveries}
        </Badge>
      )}
    </div>
  );
}

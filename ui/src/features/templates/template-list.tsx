import { Button } from "@mantine/core";
import { IconFilterOff, IconTemplate } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { StatusBadge, useCategoryText, useStatusText } from "@/components/status-badge";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useRefreshTemplates } from "@/lib/refresh";
import { Filters, isFiltered, queryOf } from "./filters";
import classes from "./templates.module.css";

const route = getRouteApi("/templates");

export function TemplateList({ onBegin }: { onBegin: () => void }) {
  const { t } = useTranslation("templates");
  const search = route.useSearch();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const frame = useRef<HTMLDivElement>(null);
  const query = queryOf(workspace.id, search);
  const list = useInfiniteQuery(queries.templates(query));
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.rows) ?? [], [list.data]);
  const first = list.data?.pages[0];
  const syncFailure = useQuery(queries.syncFailure(workspace.id)).data;
  const { refresh } = useRefreshTemplates();
  const statusText = useStatusText();

  const { hasNextPage, isFetching, fetchNextPage } = list;
  const onEnd = hasNextPage && !isFetching ? () => void fetchNextPage() : undefined;

  return (
    <>
      <Filters
        facets={first?.facets}
        onLeave={() => frame.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()}
      />
      {syncFailure && <ErrorNotice error={syncFailure} onRetry={() => refresh(workspace.id)} />}
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      <div ref={frame} className={classes.frame} aria-busy={list.isFetching}>
        {list.isPending ? (
          <Loading rows={9} />
        ) : rows.length > 0 ? (
          <>
            <Columns count={list.hasNextPage ? undefined : rows.length} />
            <VirtualList
              label={t("title")}
              rows={rows}
              rowKey={(row) => row.reference}
              rowHeight={58}
              rowLabel={(row) => `${row.name} ${row.language} ${statusText(row.archived ? "ARCHIVED" : row.status)}`}
              onOpen={(row) => void navigate({ to: "/templates/$reference", params: { reference: row.reference } })}
              onEnd={onEnd}
              memory={`templates ${JSON.stringify(query)}`}
            >
              {(row) => <Row row={row} />}
            </VirtualList>
          </>
        ) : isFiltered(search) ? (
          <Empty Icon={IconFilterOff} title={t("empty.filtered")} text={t("empty.filteredText")}>
            <Button variant="default" onClick={() => void navigate({ to: "/templates", search: {}, replace: true })}>
              {t("empty.clear")}
            </Button>
          </Empty>
        ) : list.isError ? null : (
          <Empty Icon={IconTemplate} title={t("empty.none")} text={t("empty.noneText")}>
            <Button onClick={onBegin}>{t("new")}</Button>
          </Empty>
        )}
      </div>
    </>
  );
}

function Columns({ count }: { count: number | undefined }) {
  const { t } = useTranslation("templates");
  return (
    <div className={`${classes.columns} ${classes.grid}`} aria-hidden>
      <span>
        {t("column.name")}
        {count !== undefined && <span className={classes.count}>{count}</span>}
      </span>
      <span>{t("column.language")}</span>
      <span>{t("column.category")}</span>
      <span>{t("column.status")}</span>
      <span>{t("column.updated")}</span>
    </div>
  );
}

function Row({ row }: { row: TemplateRow }) {
  const categoryText = useCategoryText();
  return (
    <div className={`${classes.row} ${classes.grid}`}>
      <div className={classes.words}>
        <span className={classes.name}>{row.name}</span>
        <span className={classes.excerpt}>{row.excerpt}</span>
      </div>
      <span className={classes.language}>{row.language}</span>
      <span className={classes.category}>{categoryText(row.category)}</span>
      <span className={classes.status}>
        <StatusBadge status={row.status} />
        {row.archived && <StatusBadge status="ARCHIVED" />}
      </span>
      <span className={classes.updated}>
        <Instant at={row.updatedAt} />
      </span>
    </div>
  );
}

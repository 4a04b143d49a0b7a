import { Button } from "@mantine/core";
import { IconFilterOff, IconTemplate } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { hasSeveralAccounts, TemplateFilters } from "@/components/template-filters/template-filters";
import { VirtualList, type VirtualListHandle } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useRememberedFilter } from "@/lib/list-views";
import { useRowWindow } from "@/lib/row-window";
import { cleanFilter, isFiltered, templateQuery } from "@/lib/template-filter";
import frame from "../templates.module.css";
import { useTemplateFilter } from "../use-filter";
import { SelectionBar } from "./selection-bar";
import { SortMenu } from "./sort-menu";
import { Columns, Row, useRowLabel } from "./template-row";
import { useSelection } from "./use-selection";

interface TemplateListProps {
  onBegin: () => void;
  /** Number of bulk actions begun so far: each ends the selection that it was begun with. */
  bulkActions: number;
}

export function TemplateList(props: TemplateListProps) {
  const workspace = useWorkspace();
  const { filter, change } = useTemplateFilter();
  const isReady = useRememberedFilter({ workspace: workspace.id, screen: "templates", filter, apply: change });
  return isReady ? <List {...props} /> : <Loading rows={9} />;
}

function List({ onBegin, bulkActions }: TemplateListProps) {
  const { t } = useTranslation("templates");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { filter, change } = useTemplateFilter();
  const handle = useRef<VirtualListHandle>(null);
  const query = templateQuery(workspace.id, filter);
  const { offset, limit, onRange } = useRowWindow();
  const list = useQuery(queries.templates(query, offset, limit));
  const page = list.data;
  const withAccounts = hasSeveralAccounts(page?.facets);
  const selection = useSelection(query, page, bulkActions);
  const rowLabel = useRowLabel(withAccounts);
  const narrow = () => change(cleanFilter({ sort: filter.sort }));

  return (
    <>
      <TemplateFilters
        screen="templates"
        filter={filter}
        facets={page?.facets}
        onChange={(next) => void change(next)}
        onLeave={() => handle.current?.focus()}
      >
        <SortMenu
          sort={filter.sort === "name" ? "name" : "newest"}
          onChange={(sort) => void change(cleanFilter({ ...filter, sort: sort === "newest" ? "" : sort }))}
        />
      </TemplateFilters>
      {list.isError && <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />}
      <div className={frame.frame} aria-busy={list.isFetching || selection.isBusy}>
        {list.isPending ? (
          <>
            <div className={frame.columns} />
            <Loading rows={9} rowHeight={58} />
          </>
        ) : page && page.total > 0 ? (
          <>
            <Columns
              total={page.total}
              all={selection.isAll}
              some={selection.count > 0}
              withAccounts={withAccounts}
              onMarkAll={selection.markAll}
            />
            <VirtualList
              // Another question is another list, with a place of its own.
              key={JSON.stringify(query)}
              handle={handle}
              label={t("title")}
              rows={page.rows}
              offset={page.offset}
              total={page.total}
              onRange={onRange}
              rowKey={(row) => row.reference}
              rowHeight={58}
              rowLabel={(row) => rowLabel(row, page.differing[row.reference], page.flagged[row.reference])}
              marked={selection.isMarked}
              onMark={selection.mark}
              onMarkAll={selection.markAll}
              onOpen={(row) => void navigate({ to: "/templates/$reference", params: { reference: row.reference } })}
              memory={`templates ${JSON.stringify(query)}`}
            >
              {(row, index) => (
                <Row
                  row={row}
                  statuses={page.differing[row.reference]}
                  flagged={page.flagged[row.reference]}
                  withAccounts={withAccounts}
                  riskUntil={page.riskUntil}
                  marked={selection.isMarked(row)}
                  onMark={(range) => selection.mark(row, index, range)}
                />
              )}
            </VirtualList>
          </>
        ) : list.isError ? null : page?.asOf == null ? (
          <Empty Icon={IconTemplate} title={t("empty.notLoaded")} text={t("empty.notLoadedText")} />
        ) : isFiltered(filter) ? (
          <Empty Icon={IconFilterOff} title={t("empty.filtered")} text={t("empty.filteredText")}>
            <Button variant="default" onClick={() => void narrow()}>
              {t("empty.clear")}
            </Button>
          </Empty>
        ) : (
          <Empty Icon={IconTemplate} title={t("empty.none")} text={t("empty.noneText")}>
            <Button onClick={onBegin}>{t("new")}</Button>
          </Empty>
        )}
      </div>
      {/* Below the rows, so that none moves under the pointer that selects it. */}
      {selection.count > 0 && (
        <SelectionBar
          count={selection.count}
          target={selection.target}
          busy={selection.isBusy}
          onClear={() => {
            selection.clear();
            handle.current?.focus();
          }}
        />
      )}
    </>
  );
}

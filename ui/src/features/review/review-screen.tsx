import { Button, SegmentedControl } from "@mantine/core";
import { IconChecklist, IconFileImport, IconFilterOff, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ReviewBoard, WorkspaceSummary } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { FeedGaps } from "@/components/feed-gaps";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { hasSeveralAccounts, TemplateFilters } from "@/components/template-filters/template-filters";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useRememberedFilter } from "@/lib/list-views";
import { cleanFilter, isFiltered, type TemplateFilter, templateQuery } from "@/lib/template-filter";
import { AccountNotices } from "./account-notices";
import { Board } from "./board";
import { Needs } from "./needs";
import classes from "./review.module.css";

const route = getRouteApi("/review");

/** Maximum number of cards in a column; the list of templates has the others. */
const CARDS = 50;

/** The review status of every template as columns, and the templates that need attention. */
export function ReviewScreen() {
  const workspace = useWorkspace();
  return <Review key={workspace.id} workspace={workspace} />;
}

function Review({ workspace }: { workspace: WorkspaceSummary }) {
  const { t } = useTranslation("review");
  const filter = cleanFilter(route.useSearch());
  const navigate = useNavigate();
  const change = (next: TemplateFilter): Promise<void> => navigate({ to: "/review", search: next, replace: true });
  const isReady = useRememberedFilter({ workspace: workspace.id, screen: "review", filter, apply: change });
  const byAccount = filter.lanes === "account";
  // Where the columns are statuses, those of the filter are columns.
  const { status: _, ...narrowed } = filter;
  const board = useQuery({
    ...queries.reviewBoard(templateQuery(workspace.id, byAccount ? filter : narrowed), byAccount, CARDS),
    enabled: isReady,
  });

  const notices = useQuery(queries.accountNotices(workspace.id)).data ?? [];
  const feeds = useQuery(queries.feeds()).data?.rows.filter((feed) => feed.workspace === workspace.id) ?? [];

  return (
    <>
      <PageHeader title={t("title")} detail={t(workspace.sandbox ? "detailSandbox" : "detail")}>
        <Button
          variant="default"
          leftSection={<IconTrash size={15} aria-hidden />}
          renderRoot={(props) => <Link to="/templates/removed" {...props} />}
        >
          {t("removed")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconFileImport size={15} aria-hidden />}
          renderRoot={(props) => <Link to="/templates/import" {...props} />}
        >
          {t("import")}
        </Button>
      </PageHeader>
      <TemplateFilters
        screen="review"
        filter={filter}
        facets={board.data?.facets}
        onChange={(next) => void change(next)}
        without={["status", "archived"]}
      >
        {(byAccount || hasSeveralAccounts(board.data?.facets)) && (
          <SegmentedControl
            size="xs"
            className={classes.lanes}
            aria-label={t("lanes.label")}
            value={byAccount ? "account" : "status"}
            onChange={(lanes) => void change(cleanFilter({ ...filter, lanes: lanes === "account" ? "account" : "" }))}
            data={[
              { value: "status", label: t("lanes.status") },
              { value: "account", label: t("lanes.account") },
            ]}
          />
        )}
      </TemplateFilters>
      {board.error && <ErrorNotice error={board.error} onRetry={() => void board.refetch()} />}
      {board.isPending && !board.error && <Loading />}
      {board.data &&
        (isEmpty(board.data) ? (
          isFiltered(filter) ? (
            <Empty Icon={IconFilterOff} title={t("empty.filtered")} text={t("empty.filteredText")}>
              <Button variant="default" onClick={() => void change(cleanFilter({ lanes: filter.lanes }))}>
                {t("empty.clear")}
              </Button>
            </Empty>
          ) : (
            <>
              <AccountNotices workspace={workspace.id} notices={notices} />
              <FeedGaps feeds={feeds} withAddress />
              <Empty Icon={IconChecklist} title={t("empty.title")} text={t("empty.text")} />
            </>
          )
        ) : (
          <>
            <Needs
              needs={board.data.needs}
              filter={filter}
              notices={notices}
              feeds={feeds}
              workspace={workspace.id}
              onChange={(next) => void change(next)}
            />
            <Board board={board.data} filter={filter} sandbox={workspace.sandbox} isBusy={board.isFetching} />
            <p className={classes.keys}>{t("keys")}</p>
          </>
        ))}
    </>
  );
}

function isEmpty({ columns, draftCount }: ReviewBoard): boolean {
  return draftCount === 0 && columns.every(({ count }) => count === 0);
}

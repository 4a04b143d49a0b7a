import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RemovedTemplate } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { BackToTemplates } from "./back-to-templates";
import { templatesQueries } from "./queries";
import classes from "./removed.module.css";
import { RemovedActions } from "./removed-actions";

/** Removed templates whose history is stored. */
export function RemovedScreen() {
  const { t } = useTranslation("history");
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const removed = useQuery(templatesQueries.removedTemplates(workspace.id));
  return (
    <>
      <PageHeader lead={<BackToTemplates />} title={t("removed.title")} detail={t("removed.detail")} />
      {removed.isPending && <Loading />}
      {removed.isError && <ErrorNotice error={removed.error} onRetry={() => void removed.refetch()} />}
      {removed.data?.length === 0 && <Empty Icon={IconTrash} title={t("removed.none")} text={t("removed.noneText")} />}
      {removed.data && removed.data.length > 0 && (
        <div className={classes.frame}>
          <VirtualList
            label={t("removed.title")}
            rows={removed.data}
            rowKey={({ reference }) => reference}
            rowHeight={44}
            rowLabel={({ name, language }) => `${name} ${language}`}
            onOpen={({ reference }) => void navigate({ to: "/templates/removed/$reference", params: { reference } })}
            memory={`removed ${workspace.id}`}
          >
            {(row) => <Row row={row} />}
          </VirtualList>
        </div>
      )}
    </>
  );
}

function Row({ row }: { row: RemovedTemplate }) {
  const { t } = useTranslation("history");
  return (
    <div className={classes.row}>
      <span className={classes.name}>{row.name}</span>
      <span className={classes.language}>{row.language}</span>
      <span className={classes.at}>
        {t(row.archived ? "removed.archivedAt" : row.exact ? "removed.at" : "removed.atLatest")}{" "}
        <Instant at={row.at} format="moment" />
      </span>
      <RemovedActions row={row} />
    </div>
  );
}

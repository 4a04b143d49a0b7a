import { Badge } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RemovedTemplate } from "@/bindings/app";
import { PageHeader } from "@/components/page-header";
import { StatusBadge } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { BackToTemplates } from "./back-to-templates";
import { History } from "./history/history";
import { templatesQueries } from "./queries";
import classes from "./removed.module.css";
import { RemovedActions } from "./removed-actions";

const route = getRouteApi("/templates/removed/$reference");

/** What happened to a template that is gone. */
export function RemovedTemplateScreen() {
  const { t } = useTranslation("history");
  const { reference } = route.useParams();
  const workspace = useWorkspace();
  const first = useInfiniteQuery(templatesQueries.history(workspace.id, reference, [])).data?.pages[0];
  const removed = useQuery(templatesQueries.removedTemplates(workspace.id));
  const row = removed.data?.find((one) => one.reference === reference);
  return (
    <>
      <PageHeader
        lead={<BackToTemplates />}
        title={first?.name || t("removed.title")}
        aside={first?.removed && removed.isSuccess && <Gone row={row} />}
        detail={first && `${first.language} · ${reference}`}
      >
        {row && <RemovedActions row={row} />}
      </PageHeader>
      <div className={classes.scroll}>
        <History key={reference} reference={reference} />
      </div>
    </>
  );
}

/** Deleted here, or only left out of the list: it may be archived at the provider. */
function Gone({ row }: { row: RemovedTemplate | undefined }) {
  const { t } = useTranslation("history");
  if (row?.exact) return <StatusBadge status="DELETED" size="md" />;
  if (row?.archived) return <StatusBadge status="ARCHIVED" size="md" />;
  return (
    <Badge variant="light" color="gray">
      {t("kind.unlisted")}
    </Badge>
  );
}

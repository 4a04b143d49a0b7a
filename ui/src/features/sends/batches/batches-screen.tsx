import { Button, Text } from "@mantine/core";
import { IconScale, IconStack2, IconUsers } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Batch } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { sendsQueries } from "../queries";
import sends from "../sends.module.css";
import { SendsTabs } from "../sends-tabs";
import { SendsTitle } from "../sends-title";
import { BatchBadge, useBatchStateText } from "./batch-badge";
import { BatchProgress } from "./batch-progress";
import classes from "./batches.module.css";
import { useRowCounts } from "./row-counts";
import { isStarted } from "./shown-state";
import { useSourceText } from "./source-text";

/** The batches that were started, newest first. */
export function BatchesScreen() {
  const { t } = useTranslation("batches");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const stateText = useBatchStateText();
  const source = useSourceText();
  const languageName = useLanguageName();
  const rowCounts = useRowCounts();
  const batches = useQuery(sendsQueries.batches(workspace.id));
  const rows = batches.data?.filter(isStarted);
  return (
    <>
      <PageHeader
        title={<SendsTitle view="batches" />}
        aside={<SendsTabs view="batches" />}
        detail={t("batches.detail")}
      >
        {rows !== undefined && rows.length > 1 && (
          <Button
            variant="default"
            leftSection={<IconScale size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/sends/batches/compare" {...props} />}
          >
            {t("compare.title")}
          </Button>
        )}
        <NewBatchButton />
      </PageHeader>
      {batches.error && <ErrorNotice error={batches.error} onRetry={() => void batches.refetch()} />}
      {batches.isPending && <Loading rowHeight={60} />}
      {rows?.length === 0 && (
        <Empty Icon={IconStack2} title={t("batches.empty")} text={t("batches.emptyText")}>
          <NewBatchButton />
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className={sends.frame}>
          <VirtualList
            rows={rows}
            rowKey={({ id }) => id}
            rowHeight={60}
            label={t("view.batches")}
            rowLabel={(batch) =>
              [
                batch.templateName,
                languageName(batch.language),
                source(batch),
                stateText(batch),
                rowCounts(batch),
              ].join(", ")
            }
            onOpen={({ id }) => void navigate({ to: "/sends/batches/$batch", params: { batch: id } })}
            memory={`batches ${workspace.id}`}
          >
            {(batch) => <Row batch={batch} />}
          </VirtualList>
        </div>
      )}
    </>
  );
}

function NewBatchButton() {
  const { t } = useTranslation("batches");
  return (
    <Button
      leftSection={<IconUsers size={15} aria-hidden />}
      renderRoot={(props) => <Link to="/sends/batches/new" {...props} />}
    >
      {t("new.title")}
    </Button>
  );
}

function Row({ batch }: { batch: Batch }) {
  const source = useSourceText();
  const languageName = useLanguageName();
  const rowCounts = useRowCounts();
  return (
    <div className={sends.row}>
      <div className={sends.words}>
        <span className={sends.recipient}>{batch.templateName}</span>
        <span className={sends.template}>
          {languageName(batch.language)} · {source(batch)}
        </span>
      </div>
      <div className={classes.bar}>
        <BatchProgress batch={batch} size={6} />
        <Text span className={classes.quiet} lineClamp={2} title={rowCounts(batch)}>
          {rowCounts(batch)}
        </Text>
      </div>
      <span className={classes.batchBadge}>
        <BatchBadge batch={batch} />
      </span>
      <span className={sends.time}>
        <Instant at={batch.startedAt ?? batch.createdAt} format="moment" />
      </span>
    </div>
  );
}

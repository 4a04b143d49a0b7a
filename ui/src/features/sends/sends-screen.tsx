import { Button } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SendRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import classes from "./sends.module.css";

export function SendsScreen() {
  const { t } = useTranslation("sends");
  const navigate = useNavigate();
  const status = useStatusText();
  const workspace = useWorkspace();
  const sends = useInfiniteQuery(queries.sends(workspace.id));
  const rows = useMemo(() => sends.data?.pages.flatMap((page) => page.rows), [sends.data]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = sends;
  const onEnd = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined;

  return (
    <>
      <PageHeader title={t("title")} detail={t("detail")}>
        <NewSendButton />
      </PageHeader>
      {sends.error && <ErrorNotice error={sends.error} onRetry={() => void sends.refetch()} />}
      {rows === undefined && !sends.error && <Loading />}
      {rows?.length === 0 && (
        <Empty Icon={IconSend} title={t("empty.title")} text={t("empty.text")}>
          <NewSendButton />
        </Empty>
      )}
      {rows !== undefined && rows.length > 0 && (
        <VirtualList
          rows={rows}
          rowKey={({ id }) => id}
          rowHeight={60}
          label={t("title")}
          rowLabel={(row) =>
            [row.recipient, row.templateName, row.language, status(row.state), row.errorTitle ?? ""]
              .filter((word) => word !== "")
              .join(", ")
          }
          onOpen={({ id }) => void navigate({ to: "/sends/$send", params: { send: id } })}
          onEnd={onEnd}
          memory={`sends ${workspace.id}`}
        >
          {(row) => <Row row={row} />}
        </VirtualList>
      )}
    </>
  );
}

function NewSendButton() {
  const { t } = useTranslation("sends");
  return (
    <Button
      leftSection={<IconSend size={15} aria-hidden />}
      renderRoot={(props) => <Link to="/sends/new" {...props} />}
    >
      {t("new")}
    </Button>
  );
}

function Row({ row }: { row: SendRow }) {
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <span className={classes.recipient}>{row.recipient}</span>
        <span className={classes.template}>
          {row.templateName} · {row.language}
        </span>
      </div>
      {(row.errorCode || row.errorTitle) && (
        <span className={classes.error} title={row.errorTitle ?? undefined}>
          {row.errorCode && <b>{row.errorCode}</b>} {row.errorTitle}
        </span>
      )}
      <span className={classes.state}>
        <StatusBadge status={row.state} />
      </span>
      <span className={classes.time}>
        <Instant at={row.createdAt} format="moment" />
      </span>
    </div>
  );
}

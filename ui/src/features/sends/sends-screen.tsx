import { Button } from "@mantine/core";
import { IconSearch, IconSend } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SendRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { useErrorCodeText } from "@/components/error-code";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { PhoneNumber } from "@/components/phone-number";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import { VirtualList } from "@/components/virtual-list";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { sendsQueries } from "./queries";
import { isFiltered, queryOf, route, SendFilters } from "./send-filters";
import classes from "./sends.module.css";
import { SendsTabs } from "./sends-tabs";
import { SendsTitle } from "./sends-title";
import { shownState } from "./shown-state";

export function SendsScreen() {
  const { t } = useTranslation("sends");
  const navigate = useNavigate();
  const status = useStatusText();
  const reason = useReason();
  const languageName = useLanguageName();
  const workspace = useWorkspace();
  const search = route.useSearch();
  const query = queryOf(workspace.id, search);
  const sends = useInfiniteQuery(sendsQueries.sends(query));
  const rows = sends.data?.pages.flatMap((page) => page.rows);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = sends;
  const onEnd = hasNextPage && !isFetchingNextPage ? () => void fetchNextPage() : undefined;
  const filtered = isFiltered(search);

  return (
    <>
      <PageHeader title={<SendsTitle view="sends" />} aside={<SendsTabs view="sends" />} detail={t("detail")}>
        <NewSendButton />
      </PageHeader>
      {(filtered || (rows !== undefined && rows.length > 0)) && <SendFilters />}
      {sends.error && <ErrorNotice error={sends.error} onRetry={() => void sends.refetch()} />}
      {rows === undefined && !sends.error && <Loading rows={10} rowHeight={60} />}
      {rows?.length === 0 &&
        (filtered ? (
          <Empty Icon={IconSearch} title={t("nothing.title")} text={t("nothing.text")} />
        ) : (
          <Empty Icon={IconSend} title={t("empty.title")} text={t("empty.text")}>
            <NewSendButton />
          </Empty>
        ))}
      {rows !== undefined && rows.length > 0 && (
        <div className={classes.frame}>
          <VirtualList
            // Another filter is another list, with a place of its own.
            key={JSON.stringify(query)}
            rows={rows}
            rowKey={({ id }) => id}
            rowHeight={60}
            label={t("title")}
            rowLabel={(row) =>
              [
                row.recipientName ?? "",
                row.recipient,
                row.kind === "text" ? t("mode.text") : `${row.templateName}, ${languageName(row.language)}`,
                status(shownState(row)),
                reason(row) ?? "",
              ]
                .filter((word) => word !== "")
                .join(", ")
            }
            onOpen={({ id }) => void navigate({ to: "/sends/$send", params: { send: id } })}
            onEnd={onEnd}
            memory={`sends ${JSON.stringify(query)}`}
          >
            {(row) => <Row row={row} />}
          </VirtualList>
        </div>
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

/** Why a message failed or did not leave. */
function useReason(): (row: SendRow) => string | undefined {
  const { t } = useTranslation("errors");
  const codeText = useErrorCodeText();
  return ({ errorCode, errorTitle, notSent }) =>
    codeText(errorCode)?.meaning ??
    (notSent ? t(`${notSent.code}.title`, { ...notSent, nest: false }) : (errorTitle ?? undefined));
}

function Row({ row }: { row: SendRow }) {
  const { t } = useTranslation("sends");
  const reason = useReason()(row);
  return (
    <div className={classes.row}>
      <div className={classes.words}>
        <span className={classes.recipient}>
          {row.recipientName ? (
            <>
              <bdi className={classes.name}>{row.recipientName}</bdi>{" "}
              <span className={classes.number}>
                <PhoneNumber className={classes.quiet}>{row.formatted}</PhoneNumber>
              </span>
            </>
          ) : (
            <span className={classes.number}>
              <PhoneNumber>{row.formatted}</PhoneNumber>
            </span>
          )}
        </span>
        <span className={classes.template}>
          <What row={row} />
          {row.batch != null && (
            <>
              {" · "}
              <Link to="/sends/batches/$batch" params={{ batch: row.batch }} onClick={keepToItself} tabIndex={-1}>
                {t("list.batch")}
              </Link>
            </>
          )}
        </span>
      </div>
      {(row.errorCode || reason) && (
        <span className={classes.error} title={row.notSent ? undefined : (row.errorTitle ?? undefined)}>
          {row.errorCode && <b>{row.errorCode}</b>} {reason}
        </span>
      )}
      <span className={classes.end}>
        <span className={classes.state}>
          <StatusBadge status={shownState(row)} />
        </span>
        <span className={classes.time}>
          <Instant at={row.createdAt} format="moment" />
        </span>
      </span>
    </div>
  );
}

/** A link inside a row is not also a click on the row. */
const keepToItself = (event: { stopPropagation: () => void }) => event.stopPropagation();

function What({ row }: { row: SendRow }) {
  const { t } = useTranslation("sends");
  const languageName = useLanguageName();
  if (row.kind === "text") {
    return (
      <>
        {t("mode.text")} · {row.text}
      </>
    );
  }
  const name = `${row.templateName} · ${languageName(row.language)}`;
  return row.reference == null ? (
    name
  ) : (
    <Link
      to="/templates/$reference"
      params={{ reference: row.reference }}
      onClick={keepToItself}
      // The keyboard moves among rows; their pages have the same links.
      tabIndex={-1}
    >
      {name}
    </Link>
  );
}

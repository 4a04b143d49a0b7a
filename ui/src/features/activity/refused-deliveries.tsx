import { Badge } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { RefusedDelivery } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { SplitView } from "@/components/split-view";
import styles from "@/components/styles.module.css";
import { VirtualList, type VirtualListHandle } from "@/components/virtual-list";
import { useBootstrap } from "@/lib/desk";
import classes from "./activity.module.css";
import { useDiagnosisText } from "./diagnosis";
import { route } from "./filter";
import { activityQueries } from "./queries";
import own from "./refused.module.css";
import { RefusedPanel } from "./refused-panel";
import { ToReceiver } from "./to-receiver";

/** Deliveries that were turned away, and what is wrong with the one that is open. */
export function RefusedDeliveries() {
  const { t } = useTranslation("activity");
  const { refused: open } = route.useSearch();
  const navigate = route.useNavigate();
  const refused = useQuery(activityQueries.refusedDeliveries());
  const text = useDiagnosisText();
  const list = useRef<VirtualListHandle>(null);
  const { data: rows } = refused;
  const close = () => {
    void navigate({ search: ({ refused: _, ...rest }) => rest });
    list.current?.focus();
  };
  return (
    <>
      <p className={own.lead}>{t("refused.text")}</p>
      {refused.error && <ErrorNotice error={refused.error} onRetry={() => void refused.refetch()} />}
      <div className={classes.frame}>
        <SplitView panel={open && <RefusedPanel key={open} id={open} onClose={close} />} panelWidth="half">
          <div className={classes.list} data-stacked={open !== undefined || undefined}>
            {refused.isPending && <Loading rows={5} rowHeight={60} />}
            {rows?.length === 0 && (
              <Empty Icon={IconShieldCheck} title={t("refused.none")} text={t("refused.noneText")}>
                <ToReceiver />
              </Empty>
            )}
            {rows !== undefined && rows.length > 0 && (
              <VirtualList
                rows={rows}
                rowKey={({ id }) => id}
                rowHeight={60}
                label={t("refused.title")}
                rowLabel={(row) => `${text(row.diagnosis, row).what}: ${row.path}`}
                selected={open}
                onOpen={({ id }) => void navigate({ search: (before) => ({ ...before, refused: id }) })}
                memory="refused"
                handle={list}
              >
                {(row) => <Row row={row} />}
              </VirtualList>
            )}
          </div>
        </SplitView>
      </div>
    </>
  );
}

function Row({ row }: { row: RefusedDelivery }) {
  const { workspaces } = useBootstrap();
  const text = useDiagnosisText();
  const name = workspaces.find(({ id }) => id === row.workspace)?.name;
  return (
    <div className={own.refusal}>
      <span className={classes.time}>
        <Instant at={row.at} format="moment" />
      </span>
      <Badge variant="light" color={row.status >= 500 ? "orange" : "red"} size="sm" style={{ flex: "none" }}>
        {row.status}
      </Badge>
      <span className={own.refusalWords}>
        <span className={`${styles.truncate} ${own.why}`}>{text(row.diagnosis, row).what}</span>
        <span className={`${styles.truncate} ${styles.small}`}>
          <code>{row.path}</code>
          {name && <> · {name}</>}
        </span>
      </span>
    </div>
  );
}

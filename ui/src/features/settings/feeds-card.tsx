import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleDashed,
  IconCircleX,
  IconCloudDownload,
  IconPlus,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { FeedSource, FeedState } from "@/bindings/app";
import { Card } from "@/components/card";
import { CurlView } from "@/components/curl-view";
import { ErrorNotice } from "@/components/error-notice";
import { FeedGaps } from "@/components/feed-gaps";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useFeedForm } from "./feed-form";
import classes from "./settings.module.css";

/** Receivers on servers whose deliveries this computer fetches. */
export function FeedsCard() {
  const { t } = useTranslation("settings");
  const { workspaces } = useBootstrap();
  const feeds = useQuery(queries.feeds());
  const openForm = useFeedForm();
  const hasWorkspace = workspaces.some(({ sandbox }) => !sandbox);
  return (
    <Card title={t("feeds.title")} text={t("feeds.text")}>
      {feeds.error && <ErrorNotice error={feeds.error} onRetry={() => void feeds.refetch()} />}
      {feeds.data?.rows.length === 0 && <Steps />}
      {feeds.data && feeds.data.rows.length > 0 && (
        <ul className={classes.rows} aria-label={t("feeds.title")}>
          {feeds.data.rows.map((feed) => (
            <Feed key={feed.id} feed={feed} onChange={() => openForm(feed)} />
          ))}
        </ul>
      )}
      {!hasWorkspace && <p className={styles.muted}>{t("feeds.needsWorkspace")}</p>}
      <div className={classes.buttons}>
        {hasWorkspace ? (
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            disabled={!feeds.data}
            onClick={() => openForm()}
          >
            {t("feeds.follow")}
          </Button>
        ) : (
          <Button
            variant="default"
            leftSection={<IconPlus size={15} aria-hidden />}
            renderRoot={(props) => (
              <Link to="/settings" search={{ section: "workspace", workspace: "new" }} {...props} />
            )}
          >
            {t("workspaces.add")}
          </Button>
        )}
        <Link to="/help" search={{ page: "follow-a-receiver-on-a-server" }} className={classes.link}>
          {t("feeds.help")}
        </Link>
      </div>
    </Card>
  );
}

const RECEIVE = [
  "WEBHOOK_SECRET=… tdesk receive --database inbox.sqlite \\",
  "  --secret-env WEBHOOK_SECRET --feed-listen 127.0.0.1:8788",
].join("\n");
const ADD_DESK = "tdesk desk add NAME --database inbox.sqlite";

/** How a server becomes one that can be followed. */
function Steps() {
  const { t } = useTranslation("settings");
  return (
    <ol className={classes.points}>
      <li>
        {t("feeds.steps.receive")}
        <CurlView text={RECEIVE} label={t("feeds.steps.receive")} copyLabel={t("feeds.copyReceive")} />
      </li>
      <li>
        {t("feeds.steps.token")}
        <CurlView text={ADD_DESK} label={t("feeds.steps.token")} copyLabel={t("feeds.copyToken")} />
      </li>
      <li>{t("feeds.steps.follow")}</li>
    </ol>
  );
}

function Feed({ feed, onChange }: { feed: FeedSource; onChange: () => void }) {
  const { t } = useTranslation("settings");
  const { workspaces } = useBootstrap();
  const stop = useCommand("delete_feed");
  const { id, address } = feed;
  const workspace = workspaces.find((known) => known.id === feed.workspace);
  const ask = () =>
    modals.openConfirmModal({
      title: t("feeds.stopTitle"),
      children: <p className={styles.muted}>{t("feeds.stopText", { address })}</p>,
      labels: { confirm: t("feeds.stop"), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () => stop.mutate({ id }),
    });
  return (
    <li className={classes.endpoint}>
      <div>
        <code className={classes.path}>{address}</code>
        <p className={styles.muted}>
          {workspace?.name ?? t("feeds.unknownWorkspace")} · {feed.endpoint ?? t("feeds.allPaths")}
        </p>
      </div>
      <State feed={feed} />
      <FeedGaps feeds={[feed]} />
      {stop.error && <ErrorNotice error={stop.error} />}
      <div className={classes.buttons}>
        <Button size="compact-sm" variant="default" aria-label={t("feeds.changeNamed", { address })} onClick={onChange}>
          {t("feeds.change")}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          aria-label={t("feeds.stopNamed", { address })}
          loading={stop.isPending}
          onClick={ask}
        >
          {t("feeds.stop")}
        </Button>
      </div>
    </li>
  );
}

const LOOKS = {
  connecting: { Icon: IconCircleDashed, look: classes.quiet },
  connected: { Icon: IconCircleCheck, look: classes.good },
  behind: { Icon: IconCloudDownload, look: classes.quiet },
  refused: { Icon: IconCircleX, look: classes.bad },
  failed: { Icon: IconAlertTriangle, look: classes.bad },
} as const satisfies Record<FeedState["state"], object>;

function State({ feed: { state, lastEventAt } }: { feed: FeedSource }) {
  const { t, i18n } = useTranslation("settings");
  const { Icon, look } = LOOKS[state.state];
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <div>
      <p className={classes.stepLine}>
        <Icon size={18} className={look} aria-hidden />
        <span>
          {state.state === "behind"
            ? t("feeds.state.behind", { count: state.count, number: number.format(state.count) })
            : t(`feeds.state.${state.state}`)}
          {lastEventAt != null && (
            <>
              {" · "}
              {t("feeds.lastEvent")} <Instant at={lastEventAt} format="moment" />
            </>
          )}
        </span>
      </p>
      {"reason" in state && (
        <p className={styles.muted}>
          {state.reason} {state.state === "failed" && t("feeds.retried")}
        </p>
      )}
    </div>
  );
}

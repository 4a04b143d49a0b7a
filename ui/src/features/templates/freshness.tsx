import { ActionIcon, Button, Loader, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconChevronDown, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { SyncReport } from "@/bindings/app";
import { Hint } from "@/components/hint";
import { Instant } from "@/components/instant";
import { MenuOnDemand } from "@/components/on-demand";
import { showFailure } from "@/components/show-failure";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { refreshFilter, useRefreshTemplates } from "@/lib/refresh";
import { templateQuery } from "@/lib/template-filter";
import { templatesQueries } from "./queries";
import classes from "./templates.module.css";
import { useTemplateFilter } from "./use-filter";

/** A listing older than this is fetched again when the screen opens. */
const STALE_AFTER_MS = 5 * 60_000;

/** How old the list is, and a way to fetch it again, whole or in part. What is shown stays while that runs. */
export function Freshness() {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const listing = useQuery(queries.templates(templateQuery(workspace.id, {}), 0, 1)).data;
  const progress = useQuery(templatesQueries.syncProgress(workspace.id)).data;
  const { refresh, isPending } = useRefreshTemplates();
  const { filter } = useTemplateFilter();
  const asked = refreshFilter(filter);
  const words = Object.entries(asked).map(([key, value]) => (key === "search" ? `“${value}”` : value));
  const asOf = listing?.asOf;

  const tell = ({ cancelled, partial, total }: SyncReport) => {
    if (cancelled) notifications.show({ color: "gray", message: t("refreshing.cancelled", { count: total }) });
    else if (partial) notifications.show({ message: t("refreshing.partial", { count: total }) });
  };

  const refreshIfOld = useEffectEvent((id: string) => {
    if (!workspace.hasCredentials && !workspace.sandbox) return;
    if (asOf == null || Date.now() - asOf > STALE_AFTER_MS) refresh(id, {});
  });
  const known = listing !== undefined;
  useEffect(() => {
    if (known) refreshIfOld(workspace.id);
  }, [known, workspace.id]);

  if (isPending || progress) return <Running workspace={workspace.id} />;
  const age = asOf == null ? t("neverFetched") : <AsOf at={asOf} />;
  return (
    <span className={classes.freshness}>
      <span className={classes.asOf}>{age}</span>
      <Hint
        label={() => (
          <>
            {t("refresh")}
            <br />
            {age}
          </>
        )}
      >
        <ActionIcon onClick={() => refresh(workspace.id, {}, tell)} aria-label={t("refresh")}>
          <IconRefresh size={17} stroke={1.7} />
        </ActionIcon>
      </Hint>
      <MenuOnDemand
        position="bottom-end"
        shadow="md"
        width={280}
        target={
          <ActionIcon size="sm" aria-label={t("refreshing.options")}>
            <IconChevronDown size={14} />
          </ActionIcon>
        }
      >
        {() => (
          <>
            <Menu.Item onClick={() => refresh(workspace.id, {}, tell)}>{t("refreshing.all")}</Menu.Item>
            <Menu.Item disabled={words.length === 0} onClick={() => refresh(workspace.id, asked, tell)}>
              {t("refreshing.filtered")}
              {words.length > 0 && <span className={classes.asked}>{words.join(" · ")}</span>}
            </Menu.Item>
            {words.length === 0 && <Menu.Label>{t("refreshing.nothing")}</Menu.Label>}
          </>
        )}
      </MenuOnDemand>
    </span>
  );
}

/** How far the refresh is, and a way to stop it. */
function Running({ workspace }: { workspace: string }) {
  const { t } = useTranslation("templates");
  const progress = useQuery(templatesQueries.syncProgress(workspace)).data;
  const cancel = useCommand("cancel_refresh");
  const { templates: count = 0, pages = 0, total } = progress ?? {};
  return (
    <span className={classes.freshness}>
      <Loader size={14} aria-hidden />
      <span role="status">
        {!progress
          ? t("refreshing.start")
          : total == null
            ? t("refreshing.progress", { count, pages })
            : t("refreshing.of", { count, total, pages })}
      </span>
      <Button
        size="compact-xs"
        variant="subtle"
        aria-label={t("refreshing.cancel")}
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ workspace }, { onError: showFailure })}
      >
        {t("cancel", { ns: "common" })}
      </Button>
    </span>
  );
}

function AsOf({ at }: { at: number }) {
  const { t } = useTranslation("templates");
  return (
    <span>
      {t("asOf")} <Instant at={at} />
    </span>
  );
}

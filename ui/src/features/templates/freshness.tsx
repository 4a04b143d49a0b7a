import { ActionIcon, Tooltip } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import { Instant } from "@/components/instant";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useRefreshTemplates } from "@/lib/refresh";
import { everyTemplate } from "./filters";
import classes from "./templates.module.css";

/** A listing older than this is fetched again when the screen opens. */
const STALE_AFTER_MS = 5 * 60_000;

/** How old the list is, and a way to fetch it again. What is shown stays while that runs. */
export function Freshness() {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const page = useInfiniteQuery(queries.templates(everyTemplate(workspace.id))).data?.pages[0];
  const { refresh, isPending } = useRefreshTemplates();
  const asOf = page?.asOf;

  const refreshIfOld = useEffectEvent((id: string) => {
    if (!workspace.hasCredentials && !workspace.sandbox) return;
    if (asOf == null || Date.now() - asOf > STALE_AFTER_MS) refresh(id);
  });
  const known = page !== undefined;
  useEffect(() => {
    if (known) refreshIfOld(workspace.id);
  }, [known, workspace.id]);

  return (
    <span className={classes.freshness}>
      {asOf == null ? t("neverFetched") : <AsOf at={asOf} />}
      <Tooltip label={t("refresh")}>
        <ActionIcon onClick={() => refresh(workspace.id)} loading={isPending} aria-label={t("refresh")}>
          <IconRefresh size={17} stroke={1.7} />
        </ActionIcon>
      </Tooltip>
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

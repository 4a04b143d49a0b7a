import { Alert, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { WabaStatus } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { useReasonTitle } from "@/components/rejection-reason";
import { StatusBadge } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { useWabaName } from "@/lib/waba-names";
import classes from "./template-screen.module.css";

/** The status of the template in each of its WABAs, if they differ. */
export function WabaStatuses({ statuses }: { statuses: WabaStatus[] }) {
  const { t } = useTranslation("templates");
  const reasonTitle = useReasonTitle();
  const name = useWabaName(useWorkspace().id);
  if (statuses.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" icon={<IconInfoCircle size={20} stroke={1.7} />} title={t("wabas.differ")}>
      <Text inherit mb="0.5em">
        {t("wabas.text")}
      </Text>
      <ul className={classes.guidance} aria-label={t("wabas.differ")}>
        {statuses.map(({ waba, status, reason, at }) => (
          <li key={waba}>
            <StatusBadge status={status} />
            <span>
              <span title={waba}>{name(waba)}</span>
              {reason && ` · ${reasonTitle(reason)}`}
              {at != null && (
                <>
                  {" · "}
                  <Instant at={at} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

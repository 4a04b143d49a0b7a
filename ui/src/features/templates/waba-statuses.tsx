import { Alert, Text } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { AccountState, WabaStatus } from "@/bindings/app";
import { Instant } from "@/components/instant";
import { Quality } from "@/components/quality";
import { useReasonTitle } from "@/components/rejection-reason";
import { StatusBadge, useCategoryText } from "@/components/status-badge";
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

/** Its category and quality in each of its WABAs, if they differ. What counts elsewhere is the dearer and the worse. */
export function AccountStates({ accounts }: { accounts: AccountState[] }) {
  const { t } = useTranslation("templates");
  const category = useCategoryText();
  const name = useWabaName(useWorkspace().id);
  if (accounts.length === 0) return null;
  return (
    <Alert
      color="gray"
      variant="light"
      icon={<IconInfoCircle size={20} stroke={1.7} />}
      title={t("wabas.statesDiffer")}
    >
      <Text inherit mb="0.5em">
        {t("wabas.statesText")}
      </Text>
      <ul className={classes.states} aria-label={t("wabas.statesDiffer")}>
        {accounts.map((of) => (
          <li key={of.waba}>
            <strong title={of.waba}>{name(of.waba)}</strong>
            <span>{of.category && category(of.category)}</span>
            {of.quality && <Quality value={of.quality} />}
          </li>
        ))}
      </ul>
    </Alert>
  );
}

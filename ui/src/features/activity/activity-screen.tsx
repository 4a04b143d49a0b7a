import { SegmentedControl } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";
import { ReceiverAddress } from "@/components/receiver/receiver-address";
import { WebhookAddresses } from "@/components/receiver/webhook-addresses";
import classes from "./activity.module.css";
import { Events } from "./events";
import { route } from "./filter";
import { activityQueries } from "./queries";
import { RefusedDeliveries } from "./refused-deliveries";

const VIEWS = ["events", "refused", "receiver"] as const;

/** What came in by webhook, what was turned away, and whether anything can come in. */
export function ActivityScreen() {
  const { t } = useTranslation("activity");
  const navigate = route.useNavigate();
  const { view: asked } = route.useSearch();
  const view = VIEWS.find((name) => name === asked) ?? "events";
  // Each look examines what is new among them: where only their number is shown, seldom is enough.
  const refused = useQuery({ ...activityQueries.refusedDeliveries(), refetchInterval: 30_000 }).data?.length ?? 0;
  return (
    <>
      <PageHeader title={t("title")} detail={t(`details.${view}`)}>
        <SegmentedControl
          aria-label={t("views")}
          value={view}
          onChange={(value) =>
            void navigate({ search: value === "refused" || value === "receiver" ? { view: value } : {} })
          }
          data={VIEWS.map((value) => ({
            value,
            label: value === "refused" && refused > 0 ? t("view.refusedCount", { count: refused }) : t(`view.${value}`),
          }))}
        />
      </PageHeader>
      {view === "events" && <Events />}
      {view === "refused" && <RefusedDeliveries />}
      {view === "receiver" && (
        <div className={classes.receiver}>
          <ReceiverAddress />
          <WebhookAddresses />
        </div>
      )}
    </>
  );
}

import { SegmentedControl } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";
import { ReceiverAddress } from "@/components/receiver/receiver-address";
import { WebhookAddresses } from "@/components/receiver/webhook-addresses";
import classes from "./activity.module.css";
import { Events } from "./events";
import { RefusedDeliveries } from "./refused-deliveries";

/** What came in by webhook, and whether anything can. */
export function ActivityScreen() {
  const { t } = useTranslation("activity");
  const navigate = useNavigate();
  const { view } = useSearch({ from: "/activity" });
  return (
    <>
      <PageHeader title={t("title")} detail={t(view === "refused" ? "receiverDetail" : "detail")}>
        <SegmentedControl
          aria-label={t("views")}
          value={view ?? "events"}
          onChange={(value) =>
            void navigate({ to: "/activity", search: value === "refused" ? { view: "refused" } : {} })
          }
          data={[
            { value: "events", label: t("view.events") },
            { value: "refused", label: t("view.receiver") },
          ]}
        />
      </PageHeader>
      {view === "refused" ? (
        <div className={classes.receiver}>
          <RefusedDeliveries />
          <ReceiverAddress />
          <WebhookAddresses />
        </div>
      ) : (
        <Events />
      )}
    </>
  );
}

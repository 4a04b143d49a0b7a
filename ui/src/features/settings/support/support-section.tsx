import { useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Card } from "@/components/card";
import { ProjectionBar } from "@/components/projection-bar";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { SettingsPage } from "../settings-page";
import { DeliveryCard } from "./delivery-card";
import { DiagnosticsCard } from "./diagnostics-card";
import { ForwardForm, ForwardingBar } from "./forward-form";
import { RefusedCard } from "./refused-card";
import { ReplayForm } from "./replay-form";
import { VerifyForm } from "./verify-form";

/** Tools for support: deliveries byte for byte, and what can be done with the stored ones. */
export function SupportSection() {
  const { t } = useTranslation("support");
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const { delivery, refused } = useSearch({ from: "/settings" });
  const seq = Number(delivery);
  const open = Number.isSafeInteger(seq) && seq > 0 ? seq : undefined;
  const toDelivery = (next: number) =>
    void navigate({ to: "/settings", search: { section: "support", delivery: String(next) } });
  return (
    <>
      <ProjectionBar />
      <SettingsPage>
        <p className={styles.muted}>{t("lead")}</p>
        <DiagnosticsCard />
        {refused !== undefined && <RefusedCard key={refused} id={refused} />}
        <DeliveryCard key={open} seq={open} onOpen={toDelivery} />
        <Card title={t("verify.title")}>
          <VerifyForm workspace={workspace} onOpen={toDelivery} />
        </Card>
        <Card title={t("replay.title")}>
          <ReplayForm />
        </Card>
        <Card title={t("forward.title")}>
          <ForwardingBar />
          <ForwardForm workspace={workspace} />
        </Card>
      </SettingsPage>
    </>
  );
}

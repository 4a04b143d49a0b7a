import { ReceiverAddress } from "@/components/receiver/receiver-address";
import { WebhookAddresses } from "@/components/receiver/webhook-addresses";
import { FeedsCard } from "./feeds-card";
import { SettingsPage } from "./settings-page";

export function ReceiverSection() {
  return (
    <SettingsPage>
      <ReceiverAddress />
      <WebhookAddresses />
      <FeedsCard />
    </SettingsPage>
  );
}

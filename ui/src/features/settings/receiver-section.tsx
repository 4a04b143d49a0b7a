import { ReceiverAddress } from "@/components/receiver/receiver-address";
import { WebhookAddresses } from "@/components/receiver/webhook-addresses";
import classes from "./settings.module.css";

export function ReceiverSection() {
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>
        <ReceiverAddress />
        <WebhookAddresses />
      </div>
    </div>
  );
}

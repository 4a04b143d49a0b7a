import { useCommand } from "@/lib/ipc/mutations";
import { WaitingNotice } from "./waiting-notice";

interface Props {
  /** Identifier of the send. */
  send: string;
  /** When it is sent again, in Unix milliseconds. */
  until: number;
}

/** A message that a rate limit refused waits to be sent again, unless the person cancels that. */
export function SendWait({ send, until }: Props) {
  const cancel = useCommand("cancel_send");
  return <WaitingNotice until={until} reason="429" onCancel={() => cancel.mutate({ send })} />;
}

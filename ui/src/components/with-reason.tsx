import { Tooltip } from "@mantine/core";
import type { ReactElement } from "react";

/** Says why a control cannot be used. The control stays reachable, so that its reason can be read. */
export function WithReason({ reason, children }: { reason: string | undefined; children: ReactElement }) {
  return (
    <Tooltip label={reason} disabled={reason === undefined} openDelay={100} multiline maw="20rem">
      {children}
    </Tooltip>
  );
}

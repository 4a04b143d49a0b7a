import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { WrittenPath } from "./written-path";

/** Says that a file was written, and where; long enough to be read, and to be copied. */
export function showWritten(title: ReactNode, path: string): void {
  notifications.show({
    title,
    message: <WrittenPath path={path} />,
    autoClose: 10_000,
  });
}

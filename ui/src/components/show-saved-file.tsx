import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import { FilePath } from "./file-path";

/** Notifies that a file was saved, with its path, for ten seconds. */
export function showSavedFile(title: ReactNode, path: string): void {
  notifications.show({
    title,
    message: <FilePath path={path} />,
    autoClose: 10_000,
  });
}

import { Button } from "@mantine/core";
import { type NotificationData, notifications } from "@mantine/notifications";
import i18next from "i18next";
import type { ReactNode } from "react";

/** How long something can be taken back from its toast, in milliseconds. */
const REGRET = 12_000;

interface UndoToast {
  message: ReactNode;
  title?: ReactNode;
  color?: string;
  /** Where the usual corner has what the person uses next. */
  position?: NotificationData["position"];
  /** Absent where it cannot be taken back. */
  undo?: (() => void) | undefined;
  /** Another thing to do about it, such as to look at it. */
  more?: { label: string; run: () => void } | undefined;
}

/** Says what was done, with a way to take it back. */
export function showUndo({ message, title, color, position, undo, more }: UndoToast): void {
  const act = (run: () => void) => () => {
    notifications.hide(id);
    run();
  };
  const id = notifications.show({
    autoClose: REGRET,
    color,
    ...(position && { position }),
    title: title ?? message,
    message: (
      <>
        {title !== undefined && <p style={{ margin: "0 0 0.375rem" }}>{message}</p>}
        {undo && (
          <Button size="compact-xs" variant="default" mr="xs" onClick={act(undo)}>
            {i18next.t("undo", { ns: "common" })}
          </Button>
        )}
        {more && (
          <Button size="compact-xs" variant="subtle" onClick={act(more.run)}>
            {more.label}
          </Button>
        )}
      </>
    ),
  });
}

// What the host holds for the page until it asks: a link that another program opened, and that the page was reloaded.

import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { OpenedLink } from "@/bindings/ipc";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { call } from "@/lib/ipc/client";
import { useDeskEvent } from "@/lib/ipc/events";
import { useGoToWorkspace } from "./workspace-switching";

/** Shows what the host holds for the page, at its start and when a link is opened. */
export function usePending(): void {
  const { t } = useTranslation("shell");
  const { workspaces } = useBootstrap();
  const here = useWorkspace();
  const goTo = useGoToWorkspace();

  const refuse = (title: string, message: string) =>
    notifications.show({ color: "red", autoClose: false, withBorder: true, title, message });

  const open = (link: OpenedLink) => {
    if (link.type === "unknown") return refuse(t("link.unknown"), link.link);
    const { place } = link;
    const target = link.workspace == null ? here : workspaces.find(({ id }) => id === link.workspace);
    if (!target) return refuse(t("link.unknownWorkspace"), t("link.unknownWorkspaceText"));
    if (target.id === here.id) return goTo(here.id, place);
    // The workspace decides what is sent where: a link of others does not change it by itself.
    modals.openConfirmModal({
      modalId: "link",
      title: t("link.switch", { name: target.name }),
      children: t("link.switchText", { name: target.name, here: here.name }),
      labels: { confirm: t("link.open"), cancel: t("cancel", { ns: "common" }) },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () => goTo(target.id, place),
    });
  };

  const take = useEffectEvent(async () => {
    const { link, pageCrashed } = await call("take_pending", {});
    if (pageCrashed) {
      notifications.show({
        id: "crash",
        color: "yellow",
        autoClose: false,
        withBorder: true,
        title: t("crash.reloaded"),
        message: t("crash.reloadedText"),
      });
    }
    if (link) open(link);
  });
  useEffect(() => {
    // If the host does not answer, the screens say so.
    void take().catch(() => undefined);
  }, []);
  useDeskEvent((event) => {
    if (event.type === "linkOpened") void take().catch(() => undefined);
  });
}

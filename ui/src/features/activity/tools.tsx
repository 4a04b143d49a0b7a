import { ActionIcon, Menu } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconDots, IconFileExport, IconPlayerTrackNext, IconRefresh, IconShieldCheck } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { EventRow } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { WrittenPath } from "@/components/written-path";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { type Filter, route } from "./filter";
import { ForwardForm } from "./forward-form";
import { ReplayForm } from "./replay-form";
import { VerifyForm } from "./verify-form";

interface ToolsProps {
  filter: Filter;
  rows: readonly EventRow[] | undefined;
}

/** What can be done with the stored events besides looking at them. */
export function Tools({ filter, rows }: ToolsProps) {
  const { t } = useTranslation("activity");
  const workspace = useWorkspace();
  const navigate = route.useNavigate();
  const write = useCommand("export_events");
  const suggested = { from: rows?.at(-1)?.seq, to: rows?.at(0)?.seq };

  const verify = () =>
    modals.open({
      title: t("verify.title"),
      children: (
        <VerifyForm
          workspace={workspace}
          onOpen={(seq) =>
            void navigate({ search: (before) => ({ ...before, event: undefined, delivery: String(seq) }) })
          }
        />
      ),
    });
  const replay = () => modals.open({ title: t("replay.title"), children: <ReplayForm suggested={suggested} /> });
  const forward = () =>
    modals.open({
      title: t("forward.title"),
      children: <ForwardForm workspace={workspace} suggested={suggested} />,
    });
  const exportRows = () => {
    const id = notifications.show({
      message: t("export.running"),
      loading: true,
      autoClose: false,
      withCloseButton: false,
    });
    write.mutate(
      { query: { ...filter, limit: 0 } },
      {
        onSettled: () => notifications.hide(id),
        onSuccess: (file) => {
          if (!file) return;
          notifications.show({
            title: t("export.done", { count: file.lines }),
            message: <WrittenPath path={file.path} />,
            autoClose: 10_000,
          });
        },
        onError: showFailure,
      },
    );
  };

  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={t("tools")} title={t("tools")}>
          <IconDots size={17} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileExport size={16} />} disabled={write.isPending} onClick={exportRows}>
          {t("export.open")}
        </Menu.Item>
        <Menu.Item leftSection={<IconPlayerTrackNext size={16} />} onClick={forward}>
          {t("forward.open")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconShieldCheck size={16} />} onClick={verify}>
          {t("verify.open")}
        </Menu.Item>
        <Menu.Item leftSection={<IconRefresh size={16} />} onClick={replay}>
          {t("replay.open")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

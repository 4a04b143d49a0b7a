import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconArchiveOff, IconSearch } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { RemovedTemplate } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";

/** The ways back of a template that is no longer listed. */
export function RemovedActions({ row: { reference, name, canUnarchive } }: { row: RemovedTemplate }) {
  const { t } = useTranslation("history");
  const id = { workspace: useWorkspace().id, reference };
  const navigate = useNavigate();
  const unarchive = useCommand("unarchive_template");
  const look = useCommand("look_for_template");
  const open = () => {
    notifications.show({ color: "teal", message: t("removed.back", { name }) });
    void navigate({ to: "/templates/$reference", params: { reference } });
  };
  const tell = ({ found }: { found: boolean }) =>
    found ? open() : notifications.show({ color: "gray", message: t("removed.notListed", { name }) });
  const busy = unarchive.isPending || look.isPending;
  return (
    // A click on a button is not one on the row around it.
    // biome-ignore lint/a11y/noStaticElementInteractions: it only keeps clicks from going further
    // biome-ignore lint/a11y/useKeyWithClickEvents: the buttons take the keys
    <div onClick={(event) => event.stopPropagation()}>
      <Group gap="xs" justify="flex-end" wrap="nowrap">
        {canUnarchive && (
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconArchiveOff size={14} />}
            aria-label={t("removed.unarchiveNamed", { name })}
            loading={unarchive.isPending}
            disabled={busy}
            onClick={() => unarchive.mutate(id, { onSuccess: open, onError: showFailure })}
          >
            {t("removed.unarchive")}
          </Button>
        )}
        <Button
          size="compact-xs"
          variant="default"
          leftSection={<IconSearch size={14} />}
          aria-label={t("removed.lookNamed", { name })}
          loading={look.isPending}
          disabled={busy}
          onClick={() => look.mutate(id, { onSuccess: tell, onError: showFailure })}
        >
          {t("removed.look")}
        </Button>
      </Group>
    </div>
  );
}

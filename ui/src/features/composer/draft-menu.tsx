import { ActionIcon, Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconBraces, IconCopyPlus, IconDots, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { useDeletedDraft } from "@/components/use-deleted-draft";
import { useCommand } from "@/lib/ipc/mutations";
import { jsonTextOf } from "./json-text";
import { useComposerStore } from "./store";
import { draftSettled } from "./use-autosave";

interface DraftMenuProps {
  flush: () => Promise<boolean>;
  forget: () => void;
}

/** What can be done with the draft as a whole. */
export function DraftMenu({ flush, forget }: DraftMenuProps) {
  const { t } = useTranslation("composer");
  const navigate = useNavigate();
  const store = useComposerStore();
  const create = useCommand("create_draft");
  const remove = useCommand("delete_draft");
  const showDeleted = useDeletedDraft();
  const clipboard = useClipboard();

  const duplicate = async () => {
    // The copy is made of what is stored.
    await flush();
    const { workspace, id } = store.getState().draft;
    create.mutate(
      { workspace, fromDraft: id, edit: false },
      {
        onSuccess: (copy) => void navigate({ to: "/drafts/$draft", params: { draft: copy.id } }),
        onError: (error) =>
          notifications.show({ autoClose: false, withBorder: true, message: <ErrorNotice error={error} /> }),
      },
    );
  };
  const copyJson = () => {
    clipboard.copy(jsonTextOf(store.getState()));
    notifications.show({ message: t("jsonTab.copied") });
  };
  const confirmDelete = () => {
    const { draft } = store.getState();
    modals.openConfirmModal({
      title: t("deleteDraft"),
      children: t("deleteDraftText", { name: draft.template.name === "" ? t("untitled") : draft.template.name }),
      labels: { confirm: t("deleteDraft"), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      onConfirm: async () => {
        forget();
        // A save that is under way would bring it back.
        await draftSettled(draft.id);
        remove.mutate(
          { draft: draft.id },
          {
            onSuccess: (deleted) => {
              showDeleted(deleted);
              void navigate({ to: "/templates", search: { view: "drafts" } });
            },
          },
        );
      },
    });
  };

  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={t("more", { ns: "common" })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={() => void duplicate()}>
          {t("duplicate")}
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={16} />} onClick={copyJson}>
          {t("jsonTab.copy")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={confirmDelete}>
          {t("deleteDraft")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

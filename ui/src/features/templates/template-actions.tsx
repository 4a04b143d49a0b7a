import { ActionIcon, Button, Menu } from "@mantine/core";
import { modals } from "@mantine/modals";
import {
  IconArchive,
  IconArchiveOff,
  IconCopyPlus,
  IconDots,
  IconLanguage,
  IconPencil,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { useStatusText } from "@/components/status-badge";
import { showUndo } from "@/components/undo-toast";
import { WithReason } from "@/components/with-reason";
import { useCreateDraft } from "@/lib/create-draft";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { expectStatus } from "@/lib/status-toast";
import { AddLanguageForm } from "./add-language-form";
import { DeleteForm } from "./delete-form";

export function TemplateActions({ detail }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const { row } = detail;
  const { channelDays: days } = useBootstrap();
  const id = { workspace: useWorkspace().id, reference: row.reference };
  const statusText = useStatusText();
  const archive = useCommand("archive_template");
  const unarchive = useCommand("unarchive_template");
  const begin = useBeginDraft(detail);
  const addLanguage = useAddLanguage(detail);
  const status = row.archived ? "ARCHIVED" : row.status;

  // The callbacks of `mutate` are not called once this page is gone, which the toast outlives.
  const setArchived = (archived: boolean, undoing = false) => {
    // A webhook may be faster than the answer.
    expectStatus(id.workspace, row.name, row.language, archived ? "ARCHIVED" : "UNARCHIVED");
    void (archived ? archive : unarchive).mutateAsync(id).then(
      () =>
        showUndo({
          message: archived
            ? `${t("action.archived", { name: row.name })} ${t("archive.upstream", { ns: "bulkActions", count: days.archived })}`
            : t("action.unarchived", { name: row.name }),
          undo: undoing ? undefined : () => setArchived(!archived, true),
        }),
      showFailure,
    );
  };

  const openDelete = () =>
    modals.open({
      title: t("delete.title", { name: row.name, language: row.language }),
      children: <DeleteForm row={row} />,
    });

  return (
    <>
      <WithReason reason={detail.sendable ? undefined : t("action.sendBlocked")}>
        {detail.sendable ? (
          <Button
            leftSection={<IconSend size={15} />}
            renderRoot={(props) => <Link to="/sends/new" search={{ reference: row.reference }} {...props} />}
          >
            {t("action.send")}
          </Button>
        ) : (
          <Button variant="default" data-disabled aria-disabled leftSection={<IconSend size={15} />}>
            {t("action.send")}
          </Button>
        )}
      </WithReason>
      <WithReason reason={detail.editable ? undefined : t("action.editRefused", { status: statusText(status) })}>
        <Button variant="default" leftSection={<IconPencil size={15} />} onClick={() => begin(true)}>
          {t("action.edit")}
        </Button>
      </WithReason>
      <Button variant="default" leftSection={<IconCopyPlus size={15} />} onClick={() => begin(false)}>
        {t("action.draft")}
      </Button>
      <Menu position="bottom-end" shadow="md" withinPortal>
        <Menu.Target>
          <ActionIcon variant="default" size="md" aria-label={t("action.more")}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLanguage size={16} />} onClick={addLanguage}>
            {t("addLanguage.action")}
          </Menu.Item>
          <Menu.Divider />
          {/* Where nobody said whether it is archived, it may be either. */}
          {row.archived == null && <Menu.Label>{t("action.archivedUnknown")}</Menu.Label>}
          {row.archived !== true && (
            <Menu.Item leftSection={<IconArchive size={16} />} onClick={() => setArchived(true)}>
              {t("action.archive")}
            </Menu.Item>
          )}
          {row.archived !== false && (
            <Menu.Item leftSection={<IconArchiveOff size={16} />} onClick={() => setArchived(false)}>
              {t("action.unarchive")}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={openDelete}>
            {t("action.delete")}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}

/** Begins a draft from the template, or one that edits it, and goes there. */
export function useBeginDraft({ row }: TemplateDetail): (edit: boolean) => void {
  const { begin } = useCreateDraft();
  return (edit) => begin({ fromTemplate: row.reference, edit }, { onError: showFailure });
}

/** Asks for a language and begins the template in it. */
export function useAddLanguage(detail: TemplateDetail): () => void {
  const { t } = useTranslation("templates");
  return () =>
    modals.open({
      title: t("addLanguage.title", { name: detail.row.name }),
      children: (
        <AddLanguageForm
          row={detail.row}
          existing={[detail.row.language, ...detail.languages.map(({ language }) => language)]}
        />
      ),
    });
}

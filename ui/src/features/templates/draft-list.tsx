import { ActionIcon, Badge, Button, Tooltip } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconCopy, IconPencil, IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { DraftRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { useDeletedDraft } from "@/components/use-deleted-draft";
import { VirtualList } from "@/components/virtual-list";
import { useCreateDraft } from "@/lib/create-draft";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { useDraftWabas } from "@/lib/waba-names";
import classes from "./templates.module.css";

export function DraftList({ onBegin }: { onBegin: () => void }) {
  const { t } = useTranslation("templates");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const drafts = useQuery(queries.drafts(workspace.id));
  const remove = useCommand("delete_draft");
  const showDeleted = useDeletedDraft();
  const copy = useCreateDraft();
  const languageName = useLanguageName();
  const accounts = useDraftWabas(workspace.id);
  const nameOf = (draft: DraftRow) => (draft.name === "" ? t("draft.unnamed") : draft.name);

  const confirmDelete = (draft: DraftRow) =>
    modals.openConfirmModal({
      title: t("draft.delete", { name: nameOf(draft) }),
      children: t("draft.deleteText"),
      labels: { confirm: t("draft.deleteConfirm"), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      onConfirm: () => remove.mutate({ draft: draft.id }, { onSuccess: showDeleted }),
    });

  if (drafts.isPending) return <Loading />;
  if (drafts.isError) return <ErrorNotice error={drafts.error} onRetry={() => void drafts.refetch()} />;
  if (drafts.data.length === 0) {
    return (
      <Empty Icon={IconPencil} title={t("draft.none")} text={t("draft.noneText")}>
        <Button onClick={onBegin}>{t("new")}</Button>
      </Empty>
    );
  }
  return (
    <>
      {remove.isError && <ErrorNotice error={remove.error} />}
      {copy.error && <ErrorNotice error={copy.error} />}
      <div className={classes.frame}>
        <div className={`${classes.columns} ${classes.draftGrid}`} aria-hidden>
          <span>{t("column.name")}</span>
          <span>{t("column.language")}</span>
          <span>{t("fact.changed")}</span>
        </div>
        <VirtualList
          label={t("draftList")}
          rows={drafts.data}
          rowKey={(draft) => draft.id}
          rowHeight={58}
          rowLabel={(draft) => `${nameOf(draft)} ${draft.language}`}
          onOpen={(draft) => void navigate({ to: "/drafts/$draft", params: { draft: draft.id } })}
          memory={`drafts ${workspace.id}`}
        >
          {(draft) => (
            <div className={`${classes.row} ${classes.draftGrid}`}>
              <div className={classes.words}>
                <span className={classes.name} data-unnamed={draft.name === "" || undefined}>
                  {nameOf(draft)}
                  {draft.edits && (
                    <Badge size="xs" variant="light" ml="xs">
                      {t("draft.edits")}
                    </Badge>
                  )}
                  {draft.isUnknown && (
                    <Badge size="xs" variant="light" color="orange" ml="xs">
                      {t("draft.unknown")}
                    </Badge>
                  )}
                </span>
                <span className={classes.excerpt}>
                  {[accounts(draft.wabaIds), draft.excerpt].filter(Boolean).join(" · ")}
                </span>
              </div>
              <span className={classes.language} title={draft.language}>
                {languageName(draft.language)}
              </span>
              <span className={classes.updated}>
                <Instant at={draft.updatedAt} />
              </span>
              <Tooltip label={t("draft.duplicate", { name: nameOf(draft) })}>
                <ActionIcon
                  aria-label={t("draft.duplicate", { name: nameOf(draft) })}
                  onClick={(event) => {
                    event.stopPropagation();
                    copy.begin({ fromDraft: draft.id, edit: false });
                  }}
                >
                  <IconCopy size={16} stroke={1.6} />
                </ActionIcon>
              </Tooltip>
              <Tooltip label={t("draft.delete", { name: nameOf(draft) })}>
                <ActionIcon
                  aria-label={t("draft.delete", { name: nameOf(draft) })}
                  onClick={(event) => {
                    event.stopPropagation();
                    confirmDelete(draft);
                  }}
                >
                  <IconTrash size={16} stroke={1.6} />
                </ActionIcon>
              </Tooltip>
            </div>
          )}
        </VirtualList>
      </div>
    </>
  );
}

import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import type { SavedReply, SavedReplyList } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { showFailure } from "@/components/show-failure";
import styles from "@/components/styles.module.css";
import { showUndo } from "@/components/undo-toast";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { SavedReplyForm } from "./saved-reply-form";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

/** Texts that the workspace in use keeps for replies. */
export function SavedRepliesSection() {
  const { t } = useTranslation("settings");
  const workspace = useWorkspace();
  const replies = useQuery(queries.savedReplies(workspace.id));
  const list = replies.data;
  return (
    <SettingsPage>
      <Card title={`${t("replies.title")} · ${workspace.name}`} text={t("replies.text")}>
        {replies.error && <ErrorNotice error={replies.error} onRetry={() => void replies.refetch()} />}
        {replies.isPending && <Loading rows={3} />}
        {list?.rows.length === 0 && <p className={styles.muted}>{t("replies.empty")}</p>}
        {list && list.rows.length > 0 && (
          <ul className={classes.rows} aria-label={t("replies.title")}>
            {list.rows.map((reply) => (
              <Row key={reply.id} reply={reply} list={list} />
            ))}
          </ul>
        )}
        {list && <Add workspace={workspace.id} list={list} />}
      </Card>
    </SettingsPage>
  );
}

const openForm = (title: string, props: ComponentProps<typeof SavedReplyForm>) =>
  modals.open({ title, size: "lg", closeOnClickOutside: false, children: <SavedReplyForm {...props} /> });

function Add({ workspace, list }: { workspace: string; list: SavedReplyList }) {
  const { t } = useTranslation("settings");
  return (
    <div className={classes.buttons}>
      <Button
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => openForm(t("replies.add"), { workspace, list })}
      >
        {t("replies.add")}
      </Button>
      {list.rows.length > 0 && (
        <span className={styles.muted}>{t("replies.count", { count: list.rows.length, limit: list.limit })}</span>
      )}
    </div>
  );
}

function Row({ reply, list }: { reply: SavedReply; list: SavedReplyList }) {
  const { t } = useTranslation("settings");
  const remove = useCommand("delete_saved_reply");
  const restore = useCommand("save_saved_reply");
  const { id, workspace, name, text } = reply;
  const onDelete = () =>
    remove.mutate(
      { workspace, id },
      {
        onError: showFailure,
        onSuccess: () =>
          showUndo({
            message: t("replies.deleted", { name, nest: false }),
            undo: () => restore.mutate({ id, workspace, name, text }, { onError: showFailure }),
          }),
      },
    );
  return (
    <li className={classes.endpoint}>
      <div>
        <strong>{name}</strong>
        <p className={`${styles.muted} ${classes.replyText}`} dir="auto">
          {text}
        </p>
      </div>
      <div className={classes.buttons}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("replies.editNamed", { name, nest: false })}
          onClick={() => openForm(t("replies.change"), { workspace, list, reply })}
        >
          {t("replies.edit")}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          color="red"
          aria-label={t("replies.deleteNamed", { name, nest: false })}
          loading={remove.isPending}
          onClick={onDelete}
        >
          {t("replies.delete")}
        </Button>
      </div>
    </li>
  );
}

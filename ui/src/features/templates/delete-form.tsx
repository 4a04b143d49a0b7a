import { Button, Group, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateRow } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { toFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { Missing } from "./missing";
import { templatesQueries } from "./queries";

/** Deleting cannot be undone: the name has to be typed. */
export function DeleteForm({ row }: { row: TemplateRow }) {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const { channelDays: days } = useBootstrap();
  const navigate = useNavigate();
  const remove = useCommand("delete_template");
  const form = useForm({ initial: { name: "" } });
  const { name } = form.values;
  // After a lost answer the list is read again, which shows what became of the deletion.
  const isLost = remove.error?.error.code === "outcomeUnknown";
  const listed = useQuery({ ...templatesQueries.template(workspace.id, row.reference), enabled: isLost });
  const isGone = isLost && listed.error !== null && toFailure(listed.error).error.code === "notFound";
  const missing = isLost && listed.data?.row.missingSince != null ? listed.data.row : undefined;

  const finish = () => {
    modals.closeAll();
    notifications.show({ message: t("delete.done", { name: row.name }) });
    void navigate({ to: "/templates" });
  };
  const finishLate = useEffectEvent(finish);
  useEffect(() => {
    if (isGone) finishLate();
  }, [isGone]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    remove.mutate(
      { workspace: workspace.id, reference: row.reference, confirmedName: name.trim() },
      {
        onSuccess: finish,
      },
    );
  };

  return (
    <form onSubmit={submit}>
      <Text size="sm" mb="sm">
        {t("delete.text")} {t("delete.blocked", { ns: "bulkActions", count: days.blockedName })}
        {row.archived !== true && (
          <>
            {" "}
            {t("delete.instead")} {t("archive.upstream", { ns: "bulkActions", count: days.archived })}
          </>
        )}
      </Text>
      <TextInput
        label={t("delete.type", { ns: "bulkActions", words: row.name })}
        value={name}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        mb="sm"
      />
      {missing !== undefined ? <Missing row={missing} /> : remove.isError && <ErrorNotice error={remove.error} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button
          type="submit"
          color="red"
          disabled={name.trim() !== row.name || missing !== undefined}
          loading={remove.isPending}
        >
          {t("delete.confirm")}
        </Button>
      </Group>
    </form>
  );
}

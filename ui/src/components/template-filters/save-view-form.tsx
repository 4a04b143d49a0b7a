import { Button, Group, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useListViews } from "@/lib/list-views";
import { useForm } from "@/lib/use-form";
import classes from "./template-filters.module.css";

interface SaveViewFormProps {
  screen: string;
  /** Text of the filter. */
  filter: string;
}

/** Gives the filter that is set a name. */
export function SaveViewForm({ screen, filter }: SaveViewFormProps) {
  const { t } = useTranslation("filters");
  const { add, isSaving } = useListViews(useWorkspace().id);
  const [failure, setFailure] = useState<DeskFailure>();
  const form = useForm({
    initial: { name: "" },
    errors: [failure?.error],
    // The host names the view by its position, and its only field here is the name.
    fieldOf: () => "name",
    onChange: () => setFailure(undefined),
  });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFailure(undefined);
    const name = form.values.name.trim();
    add(
      { name, screen, filter },
      {
        onSuccess: () => {
          modals.closeAll();
          notifications.show({ message: t("view.saved", { name, nest: false }) });
        },
        onError: setFailure,
      },
    );
  };

  return (
    <form onSubmit={submit} className={styles.stack}>
      <code className={classes.text}>{filter}</code>
      <TextInput
        label={t("view.name")}
        data-autofocus
        value={form.values.name}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
        error={form.errorOf("name")}
      />
      {form.needsNotice(failure?.error) && <ErrorNotice error={failure} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t("save", { ns: "common" })}
        </Button>
      </Group>
    </form>
  );
}

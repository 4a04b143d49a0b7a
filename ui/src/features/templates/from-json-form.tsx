import { Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconClipboard, IconFileImport } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Draft, TemplateText } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import type { JsonMarker } from "@/components/json-editor";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { call } from "@/lib/ipc/client";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import classes from "./templates.module.css";

const JsonEditor = lazy(() => import("@/components/json-editor"));

/** Begins a draft from JSON that is pasted, typed, or read from a file. */
export function FromJsonForm() {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const form = useForm({ initial: { text: "" }, unfinished: { workspace: workspace.id, form: "template from JSON" } });
  const { text } = form.values;
  const [fault, setFault] = useState<{ words: string; markers: JsonMarker[] }>();
  const [canPaste, setCanPaste] = useState(typeof navigator.clipboard?.readText === "function");
  const read = useMutation<TemplateText, DeskFailure, string>({
    mutationFn: (text) => call("read_template", { text }),
  });
  const create = useCommand("create_draft");
  const load = useCommand("import_template");
  const isBusy = read.isPending || create.isPending || load.isPending;
  const failure = read.error ?? create.error ?? load.error;
  const markers = fault?.markers ?? [];

  const change = (next: string) => {
    form.change({ text: next });
    setFault(undefined);
  };
  const begin = () => {
    setFault(undefined);
    read.reset();
    create.reset();
    load.reset();
  };
  const show = (draft: Draft) => {
    modals.closeAll();
    void navigate({ to: "/drafts/$draft", params: { draft: draft.id } });
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin();
    if (text.trim() === "") {
      setFault({ words: t("fromJson.empty"), markers: [] });
      return;
    }
    read.mutate(text, {
      onSuccess: ({ fault }) => {
        if (fault) {
          setFault({
            words: t("fromJson.fault", { ...fault, nest: false }),
            markers: [{ ...fault, severity: "error" }],
          });
          return;
        }
        const request = { workspace: workspace.id, fromJson: text, edit: false };
        create.mutate(request, {
          onSuccess: (draft) => {
            form.reset();
            show(draft);
          },
        });
      },
    });
  };

  const choose = () => {
    begin();
    // Nothing comes back where the dialog was closed without a choice.
    load.mutate({ workspace: workspace.id }, { onSuccess: (draft) => draft && show(draft) });
  };

  const paste = async () => {
    try {
      change(await navigator.clipboard.readText());
    } catch {
      // Not every window may read the clipboard on its own; Ctrl+V works in all of them.
      setCanPaste(false);
    }
  };

  return (
    <form onSubmit={submit} className={styles.stack}>
      <Text size="sm">{t("fromJson.text")}</Text>
      <Suspense fallback={<Loading rows={4} />}>
        <JsonEditor
          value={text}
          onChange={change}
          label={t("fromJson.label")}
          markers={markers}
          minHeight="16rem"
          maxHeight="50vh"
          autoFocus
        />
      </Suspense>
      {fault && (
        <p role="alert" className={classes.fault}>
          {fault.words}
        </p>
      )}
      {failure && <ErrorNotice error={failure} />}
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          {canPaste && (
            <Button variant="default" leftSection={<IconClipboard size={15} />} onClick={() => void paste()}>
              {t("fromJson.paste")}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconFileImport size={15} />}
            onClick={choose}
            loading={load.isPending}
            disabled={isBusy && !load.isPending}
          >
            {t("fromJson.file")}
          </Button>
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {t("cancel", { ns: "common" })}
          </Button>
          <Button type="submit" loading={read.isPending || create.isPending} disabled={load.isPending}>
            {t("fromJson.create")}
          </Button>
        </Group>
      </Group>
    </form>
  );
}

import { Anchor, Button, Group, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconClipboard, IconFileImport, IconFolderOpen } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FoundTemplates } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import type { JsonMarker } from "@/components/json-editor";
import { Loading } from "@/components/loading";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useFaultText } from "@/lib/fault-text";
import { useFilteredWabas } from "@/lib/filtered-wabas";
import { call } from "@/lib/ipc/client";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useForm } from "@/lib/use-form";
import { FoundTemplatesList, inAccounts } from "./found-templates";
import classes from "./templates.module.css";
import { useSaveDrafts } from "./use-save-drafts";

const JsonEditor = lazy(() => import("@/components/json-editor"));

/** Begins drafts from templates that are pasted, typed, or read from files. */
export function ImportForm({ modalId }: { modalId: string }) {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const navigate = useNavigate();
  const form = useForm({ initial: { text: "" }, unfinished: { workspace: workspace.id, form: "template from JSON" } });
  const { text } = form.values;
  const faultText = useFaultText();
  const filtered = useFilteredWabas(workspace.id);
  const [fault, setFault] = useState<{ words: string; markers: JsonMarker[] }>();
  const canPaste = typeof navigator.clipboard?.readText === "function";
  const [pastesByKey, setPastesByKey] = useState(false);
  const [found, setFound] = useState<FoundTemplates>();
  const read = useMutation<FoundTemplates, DeskFailure, string>({
    mutationFn: (text) => call("find_templates", { workspace: workspace.id, text, ...filtered }),
  });
  const load = useMutation<FoundTemplates | null, DeskFailure, boolean>({
    mutationFn: (folder) => call("choose_templates", { workspace: workspace.id, folder, ...filtered }),
  });
  // What was typed is done with; a file leaves it for later.
  const save = useSaveDrafts(() => load.data == null && form.reset());
  const isBusy = read.isPending || load.isPending || save.isPending;
  const failure = read.error ?? load.error ?? save.error;
  const markers = fault?.markers ?? [];

  const change = (next: string) => {
    form.change({ text: next });
    setFault(undefined);
  };
  const begin = () => {
    setFault(undefined);
    read.reset();
    load.reset();
    save.reset();
  };
  /** A template alone becomes a draft at once; else the person chooses. What was read as plain text is shown as such. */
  const show = (found: FoundTemplates) => {
    const [first] = found.templates;
    const isAlone = found.templates.length === 1 && found.unreadable.length === 0 && found.foldersLeftOut === 0;
    if (first && isAlone && !first.isPlainText) {
      save.mutate([inAccounts(first.draft, found.wabaIds)]);
    } else {
      setFound(found);
    }
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    begin();
    if (text.trim() === "") {
      setFault({ words: t("import.empty"), markers: [] });
      return;
    }
    read.mutate(text, {
      onSuccess: (found) => {
        const { fault } = found;
        if (fault) {
          setFault({
            words: faultText(fault, "text"),
            markers: [{ ...fault, message: faultText(fault, "text"), severity: "error" }],
          });
          return;
        }
        show(found);
      },
    });
  };

  const choose = (folder: boolean) => {
    begin();
    // Nothing comes back where the dialog was closed without a choice.
    load.mutate(folder, { onSuccess: (found) => found && show(found) });
  };

  const paste = async () => {
    try {
      change(await navigator.clipboard.readText());
    } catch {
      // Not every window may read the clipboard on its own; Ctrl+V works in all of them.
      setPastesByKey(true);
    }
  };

  if (found) {
    return (
      <FoundTemplatesList
        modalId={modalId}
        found={found}
        save={save}
        onBack={() => {
          begin();
          setFound(undefined);
        }}
      />
    );
  }
  return (
    <form onSubmit={submit} className={styles.stack}>
      <Text size="sm">{t("import.text")}</Text>
      <Suspense fallback={<Loading rows={4} />}>
        <JsonEditor
          value={text}
          onChange={change}
          label={t("import.label")}
          markers={markers}
          minHeight="16rem"
          maxHeight="45vh"
          autoFocus
        />
      </Suspense>
      {fault && (
        <p role="alert" className={classes.fault}>
          {fault.words}
        </p>
      )}
      {failure && <ErrorNotice error={failure} />}
      {pastesByKey && (
        <Text size="sm" role="status">
          {t("import.pasteByKey")}
        </Text>
      )}
      <Group gap="xs" justify="space-between">
        <Group gap="xs">
          {canPaste && (
            <Button
              variant="default"
              leftSection={<IconClipboard size={15} />}
              onClick={() => void paste()}
              disabled={pastesByKey}
            >
              {t("import.paste")}
            </Button>
          )}
          <Button
            variant="default"
            leftSection={<IconFileImport size={15} />}
            onClick={() => choose(false)}
            disabled={isBusy}
          >
            {t("import.files")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconFolderOpen size={15} />}
            onClick={() => choose(true)}
            disabled={isBusy}
          >
            {t("import.folder")}
          </Button>
        </Group>
        <Group gap="xs">
          <Button variant="default" onClick={() => modals.closeAll()}>
            {t("cancel", { ns: "common" })}
          </Button>
          <Button type="submit" loading={read.isPending || save.isPending} disabled={load.isPending}>
            {t("import.read")}
          </Button>
        </Group>
      </Group>
      <Text size="xs">
        {t("import.compareText")}{" "}
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => {
            modals.closeAll();
            void navigate({ to: "/templates/import", search: {} });
          }}
        >
          {t("import.compare")}
        </Anchor>
      </Text>
    </form>
  );
}

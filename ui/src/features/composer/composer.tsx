import { ActionIcon, Badge, Button, Menu, Tooltip } from "@mantine/core";
import { modals } from "@mantine/modals";
import {
  IconArrowLeft,
  IconCheck,
  IconCloudOff,
  IconCopyPlus,
  IconDots,
  IconLoader2,
  IconSend,
  IconTrash,
} from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { memo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Draft } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { PageHeader } from "@/components/page-header";
import { useCommand } from "@/lib/ipc/mutations";
import { BasicsSection } from "./basics-section";
import { BodySection } from "./body-section";
import { ButtonsSection } from "./buttons-section";
import classes from "./composer.module.css";
import { FooterSection } from "./footer-section";
import { HeaderSection } from "./header-section";
import { useJump } from "./jump";
import { OtherSection } from "./other-section";
import { PreviewSide } from "./preview-side";
import { ComposerContext, type ComposerStore, createComposerStore, useComposer } from "./store";
import { SubmitSheet } from "./submit-sheet";
import { UndoButtons, useUndoKeys } from "./undo";
import { type SaveState, useAutosave } from "./use-autosave";
import { useInspection } from "./use-inspection";
import { WabasSection } from "./wabas-section";

export function Composer({ initial }: { initial: Draft }) {
  const [store] = useState(() => createComposerStore(initial));
  return (
    <ComposerContext value={store}>
      <ComposerPage store={store} />
    </ComposerContext>
  );
}

function ComposerPage({ store }: { store: ComposerStore }) {
  const { t } = useTranslation("composer");
  const draft = useComposer((state) => state.draft);
  const [submitting, setSubmitting] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useAutosave(draft);
  const failure = useInspection(store);
  const jump = useJump(form);
  useUndoKeys();

  const submit = () => {
    store.getState().attempt();
    setSubmitting(true);
  };

  return (
    <>
      <PageHeader
        lead={<BackToDrafts />}
        title={draft.template.name === "" ? t("untitled") : draft.template.name}
        aside={
          <>
            <Badge variant="light" color="gray">
              {t(draft.edits == null ? "draft" : "editing")}
            </Badge>
            <SaveStatus state={save.state} />
          </>
        }
      >
        <UndoButtons />
        <DraftMenu draft={draft} forget={save.forget} />
        <Button leftSection={<IconSend size={15} />} onClick={submit}>
          {t("submit")}
        </Button>
      </PageHeader>
      <div className={classes.columns}>
        <form
          ref={form}
          className={classes.form}
          aria-label={t("form")}
          noValidate
          onBlur={() => void save.flush()}
          onSubmit={(event) => event.preventDefault()}
        >
          {save.failure && <ErrorNotice error={save.failure} onRetry={() => void save.flush()} />}
          {failure && <ErrorNotice error={failure} />}
          <FormSections />
        </form>
        <PreviewSide onJump={jump} />
      </div>
      {submitting && (
        <SubmitSheet
          draft={draft}
          flush={save.flush}
          forget={save.forget}
          onClose={() => setSubmitting(false)}
          onRefused={(findings) => store.getState().refuse(findings)}
          onJump={(path) => {
            setSubmitting(false);
            // The sheet gives the focus back while it closes; the field takes it after that.
            setTimeout(() => jump(path), 250);
          }}
        />
      )}
    </>
  );
}

/** The fields, in the order of the message. None of them draws again unless its own part changes. */
const FormSections = memo(function FormSections() {
  return (
    <>
      <BasicsSection />
      <HeaderSection />
      <BodySection />
      <FooterSection />
      <ButtonsSection />
      <OtherSection />
      <WabasSection />
    </>
  );
});

function SaveStatus({ state }: { state: SaveState }) {
  const { t } = useTranslation("composer");
  const Icon = state === "saved" ? IconCheck : state === "failed" ? IconCloudOff : IconLoader2;
  return (
    <span className={classes.save} data-state={state} role="status">
      <Icon size={14} aria-hidden /> {t(`save.${state}`)}
    </span>
  );
}

function BackToDrafts() {
  const { t } = useTranslation("composer");
  const navigate = useNavigate();
  return (
    <Tooltip label={t("back")}>
      <ActionIcon
        onClick={() => void navigate({ to: "/templates", search: { view: "drafts" } })}
        aria-label={t("back")}
      >
        <IconArrowLeft size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

function DraftMenu({ draft, forget }: { draft: Draft; forget: () => void }) {
  const { t } = useTranslation("composer");
  const navigate = useNavigate();
  const create = useCommand("create_draft");
  const remove = useCommand("delete_draft");

  const duplicate = () =>
    create.mutate(
      { workspace: draft.workspace, fromDraft: draft.id, edit: false },
      { onSuccess: ({ id }) => void navigate({ to: "/drafts/$draft", params: { draft: id } }) },
    );
  const confirmDelete = () =>
    modals.openConfirmModal({
      title: t("deleteDraft"),
      children: t("deleteDraftText", { name: draft.template.name === "" ? t("untitled") : draft.template.name }),
      labels: { confirm: t("deleteDraft"), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      onConfirm: () => {
        forget();
        remove.mutate(
          { draft: draft.id },
          { onSuccess: () => void navigate({ to: "/templates", search: { view: "drafts" } }) },
        );
      },
    });

  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size="md" aria-label={t("more", { ns: "common" })}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCopyPlus size={16} />} onClick={duplicate}>
          {t("duplicate")}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={confirmDelete}>
          {t("deleteDraft")}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

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
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Draft } from "@/bindings/app";
import type { Finding, Template } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { FindingList } from "@/components/findings";
import { PageHeader } from "@/components/page-header";
import { Phone } from "@/components/phone/phone";
import { useCommand } from "@/lib/ipc/mutations";
import { BasicsSection } from "./basics-section";
import { BodySection } from "./body-section";
import { ButtonsSection } from "./buttons-section";
import classes from "./composer.module.css";
import { ComposerContext } from "./composer-context";
import { FooterSection } from "./footer-section";
import { HeaderSection } from "./header-section";
import { jumpTo } from "./jump";
import { OtherSection } from "./other-section";
import { SubmitSheet } from "./submit-sheet";
import { type SaveState, useAutosave } from "./use-autosave";
import { useInspection } from "./use-inspection";
import { WabasSection } from "./wabas-section";

const EMPTY_BUBBLE = { body: [], buttons: [], visible_buttons: 0, cards: [], right_to_left: false, unknown: [] };

export function Composer({ initial }: { initial: Draft }) {
  const { t } = useTranslation("composer");
  const [draft, setDraft] = useState(initial);
  const [refusals, setRefusals] = useState<Finding[]>([]);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [attempted, setAttempted] = useState(false);
  const [submitting, setSubmitting] = useState(false);
  const [spare] = useState(() => new Map<string, string>());
  const form = useRef<HTMLFormElement>(null);
  const save = useAutosave(draft);
  const { inspection, failure } = useInspection(draft.template, draft.headerFile ?? null);
  const findings = [...refusals, ...(inspection?.findings ?? [])];

  const change = (edit: (template: Template) => Template) => {
    setDraft((before) => ({ ...before, template: edit(before.template) }));
    // What the provider said was about the template as it stood.
    setRefusals([]);
  };

  const submit = () => {
    setAttempted(true);
    setSubmitting(true);
  };

  const media = draft.headerFile ? { name: draft.headerFile.name, thumbnail: draft.headerFile.thumbnail } : undefined;
  return (
    <ComposerContext
      value={{
        draft,
        template: draft.template,
        change,
        changeDraft: (edit) => setDraft(edit),
        inspection,
        findings,
        shows: (path) => attempted || touched.has(path),
        touch: (path) => setTouched((before) => (before.has(path) ? before : new Set(before).add(path))),
        edits: draft.edits != null,
        spare,
      }}
    >
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
          <BasicsSection />
          <HeaderSection />
          <BodySection />
          <FooterSection />
          <ButtonsSection />
          <OtherSection />
          <WabasSection />
        </form>
        <aside className={classes.side} aria-label={t("preview")}>
          <div className={classes.phone}>
            <Phone bubble={inspection?.bubble ?? EMPTY_BUBBLE} media={media} />
          </div>
          <section className={classes.findings} aria-label={t("findings")}>
            <h2>{t("findings")}</h2>
            {findings.length > 0 ? (
              <FindingList
                findings={findings}
                label={t("findings")}
                onJump={(finding) => form.current && jumpTo(form.current, finding.path)}
              />
            ) : (
              <p className={classes.clean}>
                <IconCheck size={16} aria-hidden /> {t("noFindings")}
              </p>
            )}
          </section>
        </aside>
      </div>
      {submitting && (
        <SubmitSheet
          draft={draft}
          flush={save.flush}
          forget={save.forget}
          onClose={() => setSubmitting(false)}
          onRefused={setRefusals}
          onJump={(path) => {
            setSubmitting(false);
            // The sheet gives the focus back while it closes; the field takes it after that.
            setTimeout(() => form.current && jumpTo(form.current, path), 250);
          }}
        />
      )}
    </ComposerContext>
  );
}

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

import { Badge, Button, SegmentedControl, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCloudOff, IconLoader2, IconSend } from "@tabler/icons-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type StoreApi, useStore } from "zustand";
import type { Draft, SubmissionReport } from "@/bindings/app";
import { BackButton } from "@/components/back-button";
import { ErrorNotice } from "@/components/error-notice";
import { PageHeader } from "@/components/page-header";
import { SplitView } from "@/components/split-view";
import { WithReason } from "@/components/with-reason";
import { call } from "@/lib/ipc/client";
import { AdministrationSection } from "./administration-section";
import { AdvancedSection } from "./advanced-section";
import { isAuthentication } from "./authentication";
import { AuthenticationSection } from "./authentication-section";
import { BasicsSection } from "./basics-section";
import { BodySection } from "./body-section";
import { ButtonsSection } from "./buttons/buttons-section";
import { CarouselSection } from "./carousel/carousel-section";
import classes from "./composer.module.css";
import { DraftMenu } from "./draft-menu";
import { EditBanner } from "./edit-banner";
import { FooterSection } from "./footer-section";
import { foundIn } from "./found";
import { isUnchanged } from "./guidance";
import { HeaderSection } from "./header-section";
import { JsonFault, JsonTab } from "./json-tab";
import { useJsonReader } from "./json-text";
import { useJump } from "./jump";
import { useDiscardUntouched } from "./new-draft";
import { OfferSection } from "./offer-section";
import { OtherSection } from "./other-section";
import { PaymentSection } from "./payment-section";
import { PreviewSide } from "./preview-side";
import {
  ComposerContext,
  type ComposerStore,
  createComposerStore,
  filesOf,
  useComposer,
  useComposerActions,
  useEdits,
} from "./store";
import { SubmitSheet } from "./submit/submit-sheet";
import { UndoButtons, useUndoKeys } from "./undo";
import { UnknownOutcome } from "./unknown-outcome";
import { type Saving, useAutosave } from "./use-autosave";
import { useEditContext } from "./use-edit-context";
import { useInspection } from "./use-inspection";
import { useNameCheck } from "./use-name-check";
import { useReconciled } from "./use-reconciled";
import { VariablesSection } from "./variables-section";
import { WabaHead, WabasSection } from "./wabas-section";

export function Composer({ initial }: { initial: Draft }) {
  const [store] = useState(() => createComposerStore(initial));
  return (
    <ComposerContext value={store}>
      <ComposerPage store={store} />
    </ComposerContext>
  );
}

/**
 * Edits of which nobody knows whether they were accepted, by draft, until the app ends. The host returns the outcome of a
 * creation with the next plan, but not that of an edit.
 */
const unknownEdits = new Map<string, SubmissionReport>();

function ComposerPage({ store }: { store: ComposerStore }) {
  const { t } = useTranslation("composer");
  const tab = useComposer((state) => state.tab);
  const edits = useEdits();
  const [submitting, setSubmitting] = useState<"review" | "now">();
  const [resubmitting, setResubmitting] = useState(false);
  const [report, setReport] = useState(() => unknownEdits.get(store.getState().draft.id));
  const form = useRef<HTMLFormElement>(null);
  const { saving, flush, forget } = useAutosave(store);
  useReconciled(report, saving, () => {
    unknownEdits.delete(store.getState().draft.id);
    forget();
  });
  const failure = useInspection(store);
  const contextFailure = useEditContext(store);
  const jump = useJump(form);
  useNameCheck(store);
  useUndoKeys();
  useDiscardUntouched(store);
  useJsonReader(store);

  const submit = () => {
    store.getState().attempt();
    setSubmitting("review");
  };

  const close = () => {
    setSubmitting(undefined);
    setReport(unknownEdits.get(store.getState().draft.id));
  };

  const keepReport = (answer: SubmissionReport) => {
    const { id } = store.getState().draft;
    const isUnknown = answer.steps.some(({ outcome }) => outcome?.state === "unknown");
    if (edits && isUnknown) unknownEdits.set(id, answer);
    else unknownEdits.delete(id);
    setReport(answer);
  };

  /** Sends at once what the rules have nothing against, else leads to the first thing to correct. */
  const resubmit = async () => {
    setResubmitting(true);
    store.getState().attempt();
    try {
      await flush();
      const { findings, needsOverride } = await call("plan_submission", { draft: store.getState().draft.id });
      const first = findings.find(({ severity }) => severity === "error");
      if (first === undefined) setSubmitting(needsOverride.length > 0 ? "review" : "now");
      else if (first.path === "") setSubmitting("review");
      else jump(first.path);
    } catch {
      // The sheet asks again, and says why there is nothing to send.
      setSubmitting("review");
    }
    setResubmitting(false);
  };

  return (
    <>
      <PageHeader
        lead={<BackButton to="/templates" label={t("back")} />}
        title={<Title />}
        aside={
          <>
            <Badge variant="light" color="gray">
              {t(edits ? "editing" : "draft")}
            </Badge>
            <WabaHead />
            <SaveStatus saving={saving} />
          </>
        }
      >
        <ViewSwitch />
        <UndoButtons />
        <DraftMenu flush={flush} forget={forget} />
        <SubmitButton onClick={submit} />
      </PageHeader>
      <SplitView panel={<PreviewSide onJump={jump} />}>
        <form
          ref={form}
          className={classes.form}
          aria-label={t("form")}
          noValidate
          onBlur={() => void flush()}
          onSubmit={(event) => event.preventDefault()}
        >
          <SaveFailure saving={saving} flush={flush} />
          {failure && <ErrorNotice error={failure} />}
          {contextFailure && <ErrorNotice error={contextFailure} />}
          <UnknownOutcome />
          <EditBanner onJump={jump} onResubmit={resubmit} resubmitting={resubmitting} />
          {tab === "json" ? (
            <JsonTab />
          ) : (
            <>
              <JsonFault view="form" />
              <FormSections />
            </>
          )}
        </form>
      </SplitView>
      {submitting && (
        <SubmitSheet
          sendsAtOnce={submitting === "now"}
          report={report}
          onReport={keepReport}
          flush={flush}
          forget={forget}
          onClose={close}
          onRefused={(findings) => store.getState().refuse(findings)}
          onJump={(path) => {
            close();
            // The sheet gives the focus back while it closes; the field takes it after that.
            setTimeout(() => jump(path), 250);
          }}
        />
      )}
    </>
  );
}

/** Opens the confirmation; says how many errors there are. */
function SubmitButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation("composer");
  const id = useId();
  const errors = useComposer((state) => foundIn(state).list.filter(({ severity }) => severity === "error").length);
  const unchanged = useComposer(
    ({ draft, context }) => context !== undefined && filesOf(draft).length === 0 && isUnchanged("", draft, context),
  );
  return (
    <WithReason reason={unchanged ? t("submitUnchanged") : undefined}>
      <Button
        leftSection={<IconSend size={15} />}
        rightSection={
          errors > 0 && (
            <Badge size="sm" circle color="red" aria-hidden>
              {errors}
            </Badge>
          )
        }
        data-disabled={unchanged || undefined}
        aria-disabled={unchanged || undefined}
        aria-describedby={errors > 0 || unchanged ? id : undefined}
        onClick={unchanged ? undefined : onClick}
      >
        {t("submit")}
        <VisuallyHidden id={id} aria-hidden>
          {unchanged ? t("submitUnchanged") : errors > 0 && t("submitErrors", { count: errors })}
        </VisuallyHidden>
      </Button>
    </WithReason>
  );
}

function Title() {
  const { t } = useTranslation("composer");
  const name = useComposer((state) => state.draft.template.name);
  return name === "" ? t("untitled") : name;
}

/** Switches between the fields and the JSON they make. */
function ViewSwitch() {
  const { t } = useTranslation("composer");
  const tab = useComposer((state) => state.tab);
  const { openTab } = useComposerActions();
  return (
    <SegmentedControl
      size="xs"
      aria-label={t("jsonTab.view")}
      value={tab}
      onChange={(value) => openTab(value === "json" ? "json" : "form")}
      data={[
        { value: "form", label: t("jsonTab.form") },
        { value: "json", label: t("json", { ns: "common" }) },
      ]}
    />
  );
}

/** The fields, in the order of the message. None of them draws again unless its own part changes. */
function FormSections() {
  const authentication = useComposer(isAuthentication);
  return (
    <>
      <BasicsSection />
      {authentication ? <AuthenticationSection /> : <MessageSections />}
      <PaymentSection />
      <OtherSection />
      <WabasSection />
      <AdvancedSection />
      <AdministrationSection />
    </>
  );
}

/** The parts of any message but those whose text is the channel's own. */
function MessageSections() {
  return (
    <>
      <HeaderSection />
      <OfferSection />
      <BodySection />
      <FooterSection />
      <ButtonsSection />
      <CarouselSection />
      <VariablesSection />
    </>
  );
}

function SaveStatus({ saving }: { saving: StoreApi<Saving> }) {
  const { t } = useTranslation("composer");
  const state = useStore(saving, (now) => now.state);
  const Icon = state === "saved" ? IconCheck : state === "failed" ? IconCloudOff : IconLoader2;
  return (
    <span className={classes.save} data-state={state} role="status">
      <Icon size={14} aria-hidden /> {t(`save.${state}`)}
    </span>
  );
}

function SaveFailure({ saving, flush }: { saving: StoreApi<Saving>; flush: () => Promise<boolean> }) {
  const failure = useStore(saving, (now) => now.failure);
  return failure && <ErrorNotice error={failure} onRetry={() => void flush()} />;
}

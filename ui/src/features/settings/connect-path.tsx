import { Button, CopyButton, Stepper } from "@mantine/core";
import { IconCheck, IconCircleCheck, IconCopy, IconListDetails } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Workspace, WorkspaceProblem } from "@/bindings/app";
import { ActionBar, ActionFooter } from "@/components/action-bar";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { ConnectionReportView } from "./connection-report";
import { EndpointGroup, KnownEndpoint } from "./endpoints-section";
import { KeyringRefusal } from "./keyring-refusal";
import { useLeaveQuestion } from "./leave-question";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";
import type { WorkspaceFormState } from "./use-workspace-form";
import { WebhookStep } from "./webhook-step";
import { AccountFields, ConnectionFields, CredentialFields } from "./workspace-fields";

const STEPS = ["provider", "credentials", "accounts", "webhooks"] as const;

/** The fields of a step, by their paths. */
const FIELDS_OF = [
  /^(name|baseUrl|allowUnencrypted|channel|messagingProduct)$/,
  /^(workspaceUuid|clientId|tokenExpiresOn|token|clientSecret)$/,
  /^(numbers|wabaIds|business)/,
] as const;

const [PROVIDER, CREDENTIALS, ACCOUNTS, WEBHOOKS] = [0, 1, 2, 3];
/** After the last step. */
const DONE = STEPS.length;

interface ConnectPathProps {
  form: WorkspaceFormState;
  /** Shows all fields on one page instead. */
  onOnePage: () => void;
}

/** Connects a provider in steps, each of which explains where its values are found and is tested before the next. */
export function ConnectPath({ form, onOnePage }: ConnectPathProps) {
  const { t } = useTranslation("settings");
  const { workspace, save, test } = form;
  const [step, setStep] = useState(PROVIDER);
  const [reached, setReached] = useState(PROVIDER);
  const [isChecking, setChecking] = useState(false);
  const heading = useRef<HTMLDivElement>(null);
  const { question } = useLeaveQuestion(form.isChanged, form.discard);
  const name = STEPS[step] ?? "done";
  // The accounts of which the provider lists nothing, as they were typed.
  const [doubted, setDoubted] = useState<string>();
  const wabas = wabasOf(form);
  const works = test.data?.steps.every(({ ok }) => ok) === true;

  // A step is announced, and read from its beginning.
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    heading.current?.focus();
    heading.current?.scrollIntoView?.({ block: "nearest" });
  }, [step]);

  const show = (next: number) => {
    setReached((last) => Math.max(last, next));
    setStep(next);
  };
  /** The first step with a problem; its fields are marked. */
  const toProblem = async (problems: WorkspaceProblem[], upTo: number): Promise<boolean> => {
    const first = FIELDS_OF.findIndex((fields) => problems.some(({ field }) => fields.test(field)));
    if (first < 0 || first > upTo) return false;
    if (first !== step) show(first);
    await form.check(FIELDS_OF[first]);
    return true;
  };

  /** Whether the provider lists nothing of an account, which is said once: it may be mistyped, or have no templates yet. */
  const hasDoubt = async (): Promise<boolean> => {
    if (wabas === "" || wabas === doubted) return false;
    const report = await test.mutateAsync(form.request()).catch(() => undefined);
    if (!report?.warnings.some(({ code }) => code === "wabaWithoutTemplates")) return false;
    setDoubted(wabas);
    return true;
  };

  const next = async (sessionOnly?: boolean) => {
    setChecking(true);
    try {
      const fields = FIELDS_OF[step];
      const problems = fields ? await form.check(fields) : [];
      if (!problems || (await toProblem(problems, step))) return;
      if (step === CREDENTIALS) {
        const report = await test.mutateAsync(form.request()).catch(() => undefined);
        // What the test found stays in view until the settings work, or the person goes on without.
        if (!report?.steps.every(({ ok }) => ok)) return;
      }
      if (step === ACCOUNTS && (await hasDoubt())) return;
      if (step === ACCOUNTS || step === WEBHOOKS) {
        const unsaved = step === ACCOUNTS || form.isChanged;
        if (unsaved && !(await form.store(sessionOnly))) return;
      }
      show(step + 1);
    } finally {
      setChecking(false);
    }
  };

  const failed = step === CREDENTIALS && test.data !== undefined && !works;
  return (
    <>
      <div className={classes.page}>
        <div className={classes.connect} ref={form.attach}>
          <div className={classes.pathHead}>
            <p className={styles.muted}>{t("connect.text")}</p>
            {!workspace && (
              <Button variant="subtle" leftSection={<IconListDetails size={15} aria-hidden />} onClick={onOnePage}>
                {t("connect.onOnePage")}
              </Button>
            )}
          </div>
          <Stepper
            active={step}
            onStepClick={show}
            size="sm"
            iconSize={28}
            classNames={{ steps: classes.stepper, step: classes.stepButton, stepLabel: classes.stepLabel }}
          >
            {STEPS.map((of, index) => (
              <Stepper.Step
                key={of}
                label={t(`connect.${of}.label`)}
                allowStepSelect={index <= reached && index !== step && step !== DONE}
                aria-current={index === step ? "step" : undefined}
              />
            ))}
          </Stepper>
          <div
            ref={heading}
            tabIndex={-1}
            className={classes.stepContent}
            role="group"
            aria-label={t(`connect.${name}.title`)}
          >
            <Card title={t(`connect.${name}.title`)} text={t(`connect.${name}.text`)}>
              {name !== "done" && name !== "webhooks" && <Where step={name} />}
              {name === "provider" && <ConnectionFields form={form} />}
              {name === "credentials" && <CredentialFields form={form} />}
              {name === "accounts" && <AccountFields form={form} />}
              {name === "webhooks" && workspace && <WebhookStep form={form} workspace={workspace} />}
              {name === "done" && workspace && <Done workspace={workspace} />}
            </Card>
            {(name === "credentials" || (name === "accounts" && wabas === doubted)) && test.data && !test.isPending && (
              <ConnectionReportView report={test.data} onClose={test.reset} place="page" />
            )}
            {name === "credentials" && test.error && <ErrorNotice error={test.error} />}
          </div>
        </div>
      </div>
      {name !== "done" && (
        <ActionFooter>
          {form.checkFailure !== undefined && <ErrorNotice error={form.checkFailure} />}
          {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
          <KeyringRefusal save={form.save} onKeep={() => void next(true)} />
          <ActionBar
            bad={form.problems > 0}
            status={
              form.problems > 0
                ? t("correctAll", { count: form.problems })
                : t("connect.progress", { step: step + 1, steps: DONE })
            }
          >
            {step > PROVIDER && (
              <Button size="sm" variant="default" onClick={() => show(step - 1)}>
                {t("connect.back")}
              </Button>
            )}
            {failed && (
              <Button size="sm" variant="default" onClick={() => show(ACCOUNTS)}>
                {t("connect.anyway")}
              </Button>
            )}
            <Button size="sm" loading={isChecking || save.isPending} onClick={() => void next()}>
              {t(`connect.${name}.next`)}
            </Button>
          </ActionBar>
        </ActionFooter>
      )}
      {question}
    </>
  );
}

/** The accounts that the form names, as one text. */
function wabasOf(form: WorkspaceFormState): string {
  const { wabaIds, numbers } = form.request().settings;
  return [...wabaIds, ...numbers.map(({ wabaId }) => wabaId)].filter((waba) => waba !== "").join(" ");
}

/** Where the values of a step are found. */
function Where({ step }: { step: "provider" | "credentials" | "accounts" }) {
  const { t } = useTranslation("settings");
  const places = {
    provider: ["baseUrl", "channel"],
    credentials: ["uuid", "token"],
    accounts: ["number", "waba"],
  } as const;
  return (
    <section className={classes.where} aria-label={t("connect.where")}>
      <h3 className={classes.subheading}>{t("connect.where")}</h3>
      <ul className={classes.points}>
        {places[step].map((place) => (
          <li key={place}>{t(`connect.find.${place}`)}</li>
        ))}
      </ul>
      {step === "provider" && <Questions />}
    </section>
  );
}

/** What to ask the person who has the values. */
function Questions() {
  const { t } = useTranslation("settings");
  return (
    <div className={classes.pathHead}>
      <p className={styles.muted}>{t("connect.questions.text")}</p>
      <CopyButton value={t("connect.questions.list")}>
        {({ copied, copy }) => (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
            onClick={copy}
          >
            {copied ? t("copied", { ns: "common" }) : t("connect.questions.copy")}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}

/** The workspace is ready: work in it. */
function Done({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const { preferences } = useBootstrap();
  const use = useCommand("save_preferences");
  const { name } = workspace.settings;
  const endpoints = useQuery(settingsQueries.endpoints(workspace.id));
  return (
    <div className={classes.done}>
      <p className={classes.stepLine} role="status">
        <IconCircleCheck size={18} className={classes.good} aria-hidden />
        {t("connect.done.ready", { name })}
      </p>
      {workspace.settings.numbers.length > 0 && <p className={styles.muted}>{t("connect.done.untested")}</p>}
      {endpoints.data && (
        <section aria-label={t("connect.done.try")}>
          <h3 className={classes.subheading}>{t("connect.done.try")}</h3>
          {endpoints.data.map((endpoint) => {
            const of =
              endpoint.number == null ? t("endpoints.ofWorkspace") : t("endpoints.ofNumber", { name: endpoint.label });
            return (
              <EndpointGroup key={endpoint.path} name={of}>
                <KnownEndpoint workspace={workspace} endpoint={endpoint} name={of} />
              </EndpointGroup>
            );
          })}
        </section>
      )}
      {use.error && <ErrorNotice error={use.error} />}
      <div className={classes.buttons}>
        <Button
          size="sm"
          className={classes.longLabel}
          loading={use.isPending}
          onClick={() =>
            use.mutate(
              { ...preferences, workspace: workspace.id },
              { onSuccess: () => void navigate({ to: "/templates" }) },
            )
          }
        >
          {t("workspaces.use", { name })}
        </Button>
        <Button
          size="sm"
          variant="default"
          onClick={() => void navigate({ to: "/settings", search: { section: "workspace", workspace: workspace.id } })}
        >
          {t("connect.done.settings")}
        </Button>
      </div>
    </div>
  );
}

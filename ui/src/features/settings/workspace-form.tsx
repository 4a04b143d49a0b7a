import { Button, Select } from "@mantine/core";
import { IconPlugConnected, IconRoute } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Workspace } from "@/bindings/app";
import { ActionBar, ActionFooter } from "@/components/action-bar";
import { FieldsCard } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { ConnectionReportView } from "./connection-report";
import { DeleteWorkspace } from "./delete-workspace";
import { EndpointsSection } from "./endpoints-section";
import { KeyringRefusal } from "./keyring-refusal";
import { useLeaveQuestion } from "./leave-question";
import { useNumberEndpoints } from "./number-endpoints";
import { SecretField } from "./secret-field";
import classes from "./settings.module.css";
import { useWorkspaceForm, type WorkspaceFormState } from "./use-workspace-form";
import { ENDPOINT_SECRETS, hasTypedSecrets, type WorkspaceDraft } from "./workspace-draft";
import { AccountFields, ConnectionFields, CredentialFields } from "./workspace-fields";

/** Changes a stored workspace. */
export function StoredWorkspaceForm({ workspace }: { workspace: Workspace }) {
  const form = useWorkspaceForm(workspace);
  const { field, number } = useSearch({ from: "/settings" });
  const wanted = field && fieldToCorrect(field, number, form.draft);
  const focused = useRef<string>(undefined);
  const { focus } = form;
  useEffect(() => {
    if (wanted && focused.current !== wanted) focus(wanted);
    focused.current = wanted;
  });
  return <WorkspaceForm form={form} />;
}

/** The field of the form that a link names, of a number where it names one. */
function fieldToCorrect(field: string, number: string | undefined, { numbers }: WorkspaceDraft): string {
  if (field !== "numberId") return field;
  const place = numbers.findIndex(({ id }) => id === number);
  return `numbers/${Math.max(place, 0)}`;
}

interface WorkspaceFormProps {
  form: WorkspaceFormState;
  /** Shows the fields in steps instead; absent for a stored workspace. */
  onSteps?: (() => void) | undefined;
}

/** Every setting of a workspace on one page. */
export function WorkspaceForm({ form, onSteps }: WorkspaceFormProps) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const { preferences } = useBootstrap();
  const preferencesCommand = useCommand("save_preferences");
  const { workspace, draft, errorOf, storedAt, save, test } = form;
  const numberEndpoints = useNumberEndpoints(form);
  const { discard, question } = useLeaveQuestion(form.isChanged, form.discard);
  const atField = save.error?.code === "invalidInput" && !form.needsNotice(save.error.error);
  const canSave = form.isChanged || hasTypedSecrets(draft) || workspace === undefined;

  const store = async (sessionOnly?: boolean) => {
    if ((await form.check())?.length !== 0) return;
    const saved = await form.store(sessionOnly);
    if (saved && !workspace) {
      discard();
      void navigate({ to: "/settings", search: { section: "workspace", workspace: saved.id } });
    }
  };
  const runTest = async () => {
    if ((await form.check())?.length === 0) form.runTest();
  };
  const status =
    form.problems > 0
      ? t("correctAll", { count: form.problems })
      : atField
        ? t("correct")
        : t(form.isChanged ? "unsaved" : workspace ? "allSaved" : "empty");

  return (
    <>
      <div className={classes.page}>
        <div className={classes.narrow} ref={form.attach}>
          {onSteps && (
            <div>
              <Button variant="subtle" leftSection={<IconRoute size={15} aria-hidden />} onClick={onSteps}>
                {t("connect.inSteps")}
              </Button>
            </div>
          )}
          {workspace && preferences.workspace !== workspace.id && (
            <div>
              <Button
                variant="light"
                loading={preferencesCommand.isPending}
                className={classes.longLabel}
                onClick={() =>
                  preferencesCommand.mutate(
                    { ...preferences, workspace: workspace.id },
                    { onSuccess: () => void navigate({ to: "/templates" }) },
                  )
                }
              >
                {t("workspaces.use", { name: workspace.settings.name })}
              </Button>
              {preferencesCommand.error && <ErrorNotice error={preferencesCommand.error} />}
            </div>
          )}
          <FieldsCard title={t("group.connection")}>
            <ConnectionFields form={form} />
          </FieldsCard>
          <FieldsCard title={t("group.credentials")}>
            <CredentialFields form={form} />
          </FieldsCard>
          <FieldsCard title={t("group.accounts")}>
            <AccountFields form={form} />
          </FieldsCard>
          <EndpointsSection
            workspace={workspace}
            shown={[
              {
                number: null,
                name: t("endpoints.ofWorkspace"),
                fields: ENDPOINT_SECRETS.map((kind) => (
                  <SecretField
                    key={kind}
                    kind={kind}
                    place={storedAt(kind)}
                    draft={draft.secrets[kind]}
                    error={errorOf(kind)}
                    onChange={form.setSecret(kind)}
                  />
                )),
              },
              ...numberEndpoints,
            ]}
          />

          <FieldsCard title={t("group.advanced")}>
            <Select
              label={t("field.wabaField")}
              description={t("field.wabaFieldHint")}
              allowDeselect={false}
              value={draft.settings.wabaField}
              onChange={(value) => form.set({ wabaField: value === "waba_id" ? "waba_id" : "waba_ids" })}
              data={["waba_ids", "waba_id"]}
            />
          </FieldsCard>

          {workspace && <DeleteWorkspace workspace={workspace} onDeleted={discard} />}
        </div>
      </div>
      <ActionFooter>
        {test.data && <ConnectionReportView report={test.data} onClose={test.reset} />}
        {test.error && <ErrorNotice error={test.error} />}
        {form.checkFailure !== undefined && <ErrorNotice error={form.checkFailure} />}
        {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
        <KeyringRefusal save={save} onKeep={() => void store(true)} />
        <ActionBar bad={atField || form.problems > 0} status={status}>
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            loading={test.isPending}
            onClick={() => void runTest()}
          >
            {t("test.run")}
          </Button>
          <Button size="sm" loading={save.isPending} disabled={!canSave} onClick={() => void store()}>
            {t("save")}
          </Button>
        </ActionBar>
      </ActionFooter>
      {question}
    </>
  );
}

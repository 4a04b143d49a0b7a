import { Button, Group, Modal, Select, Switch, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconPlugConnected, IconTrash } from "@tabler/icons-react";
import { useBlocker, useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SecretKind, Workspace } from "@/bindings/app";
import { ActionBar, ActionFooter } from "@/components/action-bar";
import { Card, FieldsCard } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useBootstrap } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { ConnectionReportView } from "./connection-report";
import { EndpointsSection } from "./endpoints-section";
import { KeyringNotice } from "./keyring-notice";
import { NumberFields, WabaFields } from "./list-fields";
import { SecretField } from "./secret-field";
import classes from "./settings.module.css";
import { TokenExpiry } from "./token-expiry";
import {
  draftOf,
  ENDPOINT_SECRETS,
  formField,
  hasTypedSecrets,
  isChanged,
  type NumberDraft,
  PRESETS,
  type Preset,
  presetOf,
  requestOf,
  type SecretDraft,
  secretPlace,
  type WorkspaceDraft,
} from "./workspace-draft";

const PRESET_NAMES = ["messaging", "whatsapp", "custom"] as const satisfies readonly Preset[];

/** Adds or changes a workspace. What is typed stays whatever the host says. */
export function WorkspaceForm({ workspace }: { workspace?: Workspace }) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const { keyring, preferences } = useBootstrap();
  const [initial] = useState(() => draftOf(workspace?.settings));
  const [preset, setPreset] = useState<Preset>(() => presetOf(initial.settings));
  const isDiscarding = useRef(false);
  const save = useCommand("save_workspace");
  const test = useCommand("test_connection");
  const preferencesCommand = useCommand("save_preferences");

  const reported = test.data?.steps.find((step) => step.error)?.error;
  const form = useForm<WorkspaceDraft>({
    initial,
    errors: [save.error?.error, reported],
    fields: FIELDS,
    fieldOf: formField,
    onChange: () => {
      save.reset();
      if (reported?.code === "invalidInput") test.reset();
    },
  });
  const { values: draft, change, errorOf } = form;
  const changed = isChanged(draft, form.stored);
  const blocker = useBlocker({
    shouldBlockFn: () => changed && !isDiscarding.current,
    enableBeforeUnload: false,
    withResolver: true,
  });

  const { settings, secrets } = draft;
  const atField = save.error?.code === "invalidInput" && !form.needsNotice(save.error.error);
  const storedAt = (kind: SecretKind, number: string | null = null) =>
    secretPlace(workspace?.secrets ?? [], kind, number);
  const refused = save.error?.error.code === "keyringUnavailable" ? save.error.error : undefined;

  const set = (part: Partial<WorkspaceDraft["settings"]>) => change({ settings: { ...settings, ...part } });
  const setNumber = (index: number, part: Partial<NumberDraft>) =>
    change({ numbers: draft.numbers.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  const setSecret = (kind: SecretKind) => (secret: SecretDraft) => change({ secrets: { ...secrets, [kind]: secret } });
  const text = (name: TextField) => ({
    "data-field": name,
    value: settings[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => set({ [name]: event.currentTarget.value }),
    error: errorOf(name),
    spellCheck: false,
    autoComplete: "off",
  });

  const store = (sessionOnly = draft.sessionOnly) => {
    change({ sessionOnly });
    save.mutate(requestOf(workspace?.id, { ...draft, sessionOnly }), {
      onSuccess: (saved) => {
        form.reset({ ...draftOf(saved.settings), sessionOnly });
        notifications.show({ message: t("saved", { name: saved.settings.name }) });
        if (!workspace) {
          isDiscarding.current = true;
          void navigate({ to: "/settings", search: { section: "workspace", workspace: saved.id } });
        }
      },
    });
  };

  const offerSession = keyring.state !== "available" || save.error?.code === "keyringUnavailable" || draft.sessionOnly;
  const secretsTyped = hasTypedSecrets(draft);
  const client = settings.credentialKind === "client";

  return (
    <>
      <div className={classes.page}>
        <div className={classes.narrow} ref={form.attach}>
          {workspace && preferences.workspace !== workspace.id && (
            <div>
              <Button
                variant="light"
                loading={preferencesCommand.isPending}
                onClick={() => preferencesCommand.mutate({ ...preferences, workspace: workspace.id })}
              >
                {t("workspaces.use", { name: workspace.settings.name })}
              </Button>
              {preferencesCommand.error && <ErrorNotice error={preferencesCommand.error} />}
            </div>
          )}
          <FieldsCard title={t("group.connection")}>
            <TextInput
              label={t("field.name")}
              description={t("field.nameHint")}
              withAsterisk
              required
              {...text("name")}
            />
            <TextInput
              label={t("field.baseUrl")}
              description={t("field.baseUrlHint")}
              placeholder="https://api.provider.example"
              type="url"
              withAsterisk
              required
              {...text("baseUrl")}
              // What was confirmed for one address says nothing about another.
              onChange={(event) => set({ baseUrl: event.currentTarget.value, allowUnencrypted: false })}
            />
            {(settings.allowUnencrypted || errorOf("allowUnencrypted") !== undefined) && (
              <Switch
                label={t("field.allowUnencrypted")}
                description={t("field.allowUnencryptedHint")}
                data-field="allowUnencrypted"
                checked={settings.allowUnencrypted}
                onChange={(event) => set({ allowUnencrypted: event.currentTarget.checked })}
                error={errorOf("allowUnencrypted") && t("field.allowUnencryptedError")}
              />
            )}
            <TextInput
              label={t("field.workspaceUuid")}
              description={t("field.workspaceUuidHint")}
              placeholder="123e4567-e89b-12d3-a456-426614174000"
              withAsterisk
              required
              {...text("workspaceUuid")}
            />
            <Select
              label={t("field.preset")}
              description={t("field.presetHint")}
              allowDeselect={false}
              value={preset}
              onChange={(value) => {
                const next = PRESET_NAMES.find((name) => name === value) ?? "custom";
                setPreset(next);
                set(PRESETS[next]);
              }}
              data={PRESET_NAMES.map((value) => ({ value, label: t(`preset.${value}`) }))}
            />
            <div className={classes.pair}>
              <TextInput
                label={t("field.channel")}
                description={t("field.channelHint")}
                placeholder="messaging"
                {...text("channel")}
                onChange={(event) => {
                  setPreset("custom");
                  set({ channel: event.currentTarget.value });
                }}
              />
              <TextInput
                label={t("field.messagingProduct")}
                description={t("field.messagingProductHint")}
                placeholder={settings.channel.trim() || "messaging"}
                {...text("messagingProduct")}
                onChange={(event) => {
                  setPreset("custom");
                  set({ messagingProduct: event.currentTarget.value });
                }}
              />
            </div>
          </FieldsCard>

          <FieldsCard title={t("group.credentials")}>
            {keyring.state !== "available" && <KeyringNotice keyring={keyring} />}
            {offerSession && (
              <Switch
                label={t("keyring.session")}
                description={t("keyring.sessionHint")}
                checked={draft.sessionOnly}
                onChange={(event) => change({ sessionOnly: event.currentTarget.checked })}
              />
            )}
            <Select
              label={t("field.credentialKind")}
              allowDeselect={false}
              value={settings.credentialKind}
              onChange={(kind) => set({ credentialKind: kind === "client" ? "client" : "bearer" })}
              data={[
                { value: "bearer", label: t("credentials.bearer") },
                { value: "client", label: t("credentials.client") },
              ]}
            />
            {client ? (
              <>
                <TextInput label={t("field.clientId")} withAsterisk required {...text("clientId")} />
                <SecretField
                  kind="clientSecret"
                  place={storedAt("clientSecret")}
                  draft={secrets.clientSecret}
                  error={errorOf("clientSecret")}
                  required
                  onChange={setSecret("clientSecret")}
                />
              </>
            ) : (
              <SecretField
                kind="token"
                place={storedAt("token")}
                draft={secrets.token}
                error={errorOf("token")}
                required
                onChange={setSecret("token")}
              />
            )}
            <TokenExpiry
              value={settings.tokenExpiresOn}
              error={errorOf("tokenExpiresOn")}
              onChange={(tokenExpiresOn) => set({ tokenExpiresOn })}
            />
          </FieldsCard>

          <FieldsCard title={t("group.accounts")}>
            <NumberFields
              rows={draft.numbers}
              wabas={draft.wabas}
              errorOf={errorOf}
              onChange={(numbers) => change({ numbers })}
            />
            <WabaFields rows={draft.wabas} errorOf={errorOf} onChange={(wabas) => change({ wabas })} />
            <div className={classes.pair}>
              <TextInput
                label={t("field.businessId")}
                description={t("field.businessIdHint")}
                inputMode="numeric"
                {...text("businessId")}
              />
              <TextInput
                label={t("field.businessName")}
                description={t("field.businessNameHint")}
                {...text("businessName")}
              />
            </div>
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
                    draft={secrets[kind]}
                    error={errorOf(kind)}
                    onChange={setSecret(kind)}
                  />
                )),
              },
              ...draft.numbers.flatMap((row, index) => {
                if (!row.ownWebhook) return [];
                const number = row.id.trim();
                const name = row.label.trim() || number || t("numbers.unnamed", { place: index + 1 });
                return {
                  number,
                  name: t("endpoints.ofNumber", { name }),
                  fields: ENDPOINT_SECRETS.map((kind) => (
                    <SecretField
                      key={kind}
                      kind={kind}
                      of={{ name, field: `numbers/${index}` }}
                      place={storedAt(kind, number)}
                      draft={row.secrets[kind]}
                      error={errorOf(`numbers/${index}/${kind}`)}
                      onChange={(secret) => setNumber(index, { secrets: { ...row.secrets, [kind]: secret } })}
                    />
                  )),
                };
              }),
            ]}
          />

          <FieldsCard title={t("group.advanced")}>
            <Select
              label={t("field.wabaField")}
              description={t("field.wabaFieldHint")}
              allowDeselect={false}
              value={settings.wabaField}
              onChange={(value) => set({ wabaField: value === "waba_id" ? "waba_id" : "waba_ids" })}
              data={["waba_ids", "waba_id"]}
            />
          </FieldsCard>

          {workspace && <DeleteWorkspace workspace={workspace} onDeleted={() => (isDiscarding.current = true)} />}
        </div>
      </div>
      <ActionFooter>
        {test.data && <ConnectionReportView report={test.data} onClose={test.reset} />}
        {test.error && <ErrorNotice error={test.error} />}
        {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
        {refused && (
          <ActionBar
            live={false}
            status={
              <>
                {t(`keyring.problem.${refused.problem}`)} {refused.stale && t("keyring.stale")} {t("keyring.choice")}
              </>
            }
          >
            <Button variant="light" loading={save.isPending} onClick={() => store(true)}>
              {t("keyring.keepAndSave")}
            </Button>
          </ActionBar>
        )}
        <ActionBar bad={atField} status={atField ? t("correct") : changed ? t("unsaved") : ""}>
          <Button
            size="sm"
            variant="default"
            leftSection={<IconPlugConnected size={16} aria-hidden />}
            loading={test.isPending}
            onClick={() => test.mutate(requestOf(workspace?.id, draft))}
          >
            {t("test.run")}
          </Button>
          <Button size="sm" loading={save.isPending} disabled={!changed && !secretsTyped} onClick={() => store()}>
            {t("save")}
          </Button>
        </ActionBar>
      </ActionFooter>
      <Modal
        opened={blocker.status === "blocked"}
        onClose={() => blocker.reset?.()}
        title={t("leave.title")}
        closeButtonProps={{ "aria-label": t("leave.stay") }}
      >
        <p className={styles.muted}>{t("leave.text")}</p>
        <Group justify="flex-end" gap="0.5rem" mt="1rem">
          <Button variant="default" onClick={() => blocker.reset?.()} data-autofocus>
            {t("leave.stay")}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {t("leave.discard")}
          </Button>
        </Group>
      </Modal>
    </>
  );
}

type TextField =
  | "name"
  | "baseUrl"
  | "channel"
  | "messagingProduct"
  | "workspaceUuid"
  | "clientId"
  | "businessId"
  | "businessName";

/** Fields that show their error themselves. */
const FIELDS =
  /^(name|baseUrl|allowUnencrypted|channel|messagingProduct|workspaceUuid|clientId|tokenExpiresOn|business(Id|Name)|wabaIds(\/\d+)?|numbers(\/\d+)?(\/(id|label|wabaId))?|token|clientSecret|(numbers\/\d+\/)?(webhookSecret|previousWebhookSecret|verifyToken))$/;

function DeleteWorkspace({ workspace, onDeleted }: { workspace: Workspace; onDeleted: () => void }) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  const remove = useCommand("delete_workspace");
  const { name } = workspace.settings;
  const ask = () =>
    modals.openConfirmModal({
      title: t("remove.title", { name }),
      children: <p className={styles.muted}>{t("remove.text", { name })}</p>,
      labels: { confirm: t("remove.confirm", { name }), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
      onConfirm: () =>
        remove.mutate(
          { workspace: workspace.id },
          {
            onSuccess: () => {
              onDeleted();
              notifications.show({ message: t("remove.done", { name }) });
              void navigate({ to: "/settings", search: { section: "workspace" } });
            },
          },
        ),
    });
  return (
    <Card title={t("remove.heading")} text={t("remove.text", { name })}>
      {remove.error && <ErrorNotice error={remove.error} />}
      <div>
        <Button
          color="red"
          variant="light"
          leftSection={<IconTrash size={15} aria-hidden />}
          loading={remove.isPending}
          onClick={ask}
        >
          {t("remove.open")}
        </Button>
      </div>
    </Card>
  );
}

import { Select, Switch, TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { CountrySelect } from "@/components/country-select";
import { useBootstrap } from "@/lib/desk";
import { KeyringNotice } from "./keyring-notice";
import { NumberFields, WabaFields } from "./list-fields";
import { SecretField } from "./secret-field";
import classes from "./settings.module.css";
import { TokenExpiry } from "./token-expiry";
import type { WorkspaceFormState } from "./use-workspace-form";
import { PRESETS, type Preset, unlistedWabas } from "./workspace-draft";

interface FieldsProps {
  form: WorkspaceFormState;
}

const PRESET_NAMES = ["messaging", "whatsapp", "custom"] as const satisfies readonly Preset[];

type TextField =
  | "name"
  | "baseUrl"
  | "channel"
  | "messagingProduct"
  | "workspaceUuid"
  | "clientId"
  | "businessId"
  | "businessName";

const textOf =
  ({ draft, set, errorOf }: WorkspaceFormState) =>
  (name: TextField) => ({
    "data-field": name,
    value: draft.settings[name],
    onChange: (event: { currentTarget: HTMLInputElement }) => set({ [name]: event.currentTarget.value }),
    error: errorOf(name),
    spellCheck: false,
    autoComplete: "off",
  });

/** Where the provider is: the name here, the address and the channel. */
export function ConnectionFields({ form }: FieldsProps) {
  const { t } = useTranslation("settings");
  const { draft, set, setPreset, preset, errorOf } = form;
  const { settings } = draft;
  const text = textOf(form);
  return (
    <>
      <TextInput label={t("field.name")} description={t("field.nameHint")} withAsterisk required {...text("name")} />
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
          error={errorOf("allowUnencrypted") && t("problem.unencrypted")}
        />
      )}
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
    </>
  );
}

/** What the provider knows this workspace by: its UUID and the token, or client ID and secret. */
export function CredentialFields({ form }: FieldsProps) {
  const { t } = useTranslation("settings");
  const { keyring } = useBootstrap();
  const { draft, set, change, setSecret, storedAt, errorOf, save } = form;
  const { settings, secrets } = draft;
  const text = textOf(form);
  const offersSession = keyring.state !== "available" || save.error?.code === "keyringUnavailable" || draft.sessionOnly;
  return (
    <>
      <TextInput
        label={t("field.workspaceUuid")}
        description={t("field.workspaceUuidHint")}
        placeholder="123e4567-e89b-12d3-a456-426614174000"
        withAsterisk
        required
        {...text("workspaceUuid")}
      />
      {keyring.state !== "available" && <KeyringNotice keyring={keyring} />}
      {offersSession && (
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
      {settings.credentialKind === "client" ? (
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
    </>
  );
}

/** Sending numbers, business accounts and the business. */
export function AccountFields({ form }: FieldsProps) {
  const { t } = useTranslation("settings");
  const { draft, set, change, errorOf } = form;
  const text = textOf(form);
  return (
    <>
      <NumberFields
        rows={draft.numbers}
        wabas={draft.wabas}
        errorOf={errorOf}
        onChange={(numbers) => change({ numbers })}
      />
      <CountrySelect
        label={t("field.defaultCountry")}
        description={t("field.defaultCountryHint")}
        data-field="defaultCountry"
        value={draft.settings.defaultCountry}
        onChange={(defaultCountry) => set({ defaultCountry })}
        error={errorOf("defaultCountry")}
      />
      <Switch
        label={t("field.takesUserIds")}
        description={t("field.takesUserIdsHint")}
        checked={draft.settings.takesUserIds}
        onChange={(event) => set({ takesUserIds: event.currentTarget.checked })}
      />
      <WabaFields
        rows={draft.wabas}
        unlisted={unlistedWabas(draft)}
        errorOf={errorOf}
        onChange={(wabas) => change({ wabas })}
      />
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
    </>
  );
}

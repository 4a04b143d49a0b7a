import { Button, Checkbox, NumberInput, Radio, Select, Stack, Switch } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SandboxSettings } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import { FaultSettings } from "./fault-settings";
import { placed } from "./placed";
import { ProfileSettings } from "./profile-settings";
import classes from "./sandbox-phone.module.css";
import { useDecimalSeparator } from "./use-decimal-separator";

const POLICIES = ["auto", "approve", "reject", "reject_once", "manual"] as const;
const SIGNATURES = ["right", "wrong", "missing"] as const;
const MEDIA_LINKS = ["both", "url", "expired"] as const;
const ERROR_FORMS = ["profile", "array", "object", "error_array"] as const;
/** A day: longer waits help nobody in a sandbox. */
const LONGEST_SECONDS = 86_400;

type Webhooks = SandboxSettings["webhooks"];
type Minimal = SandboxSettings["minimal"];

/** How the sandbox reviews and delivers, and what it does to webhooks. */
export function SettingsForm({ stored }: { stored: SandboxSettings }) {
  const { t } = useTranslation("sandboxPhone");
  const save = useCommand("save_sandbox_settings");
  const [typed, setTyped] = useState<Partial<Omit<SandboxSettings, "webhooks" | "minimal">>>({});
  const [typedWebhooks, setTypedWebhooks] = useState<Partial<Webhooks>>({});
  const [typedMinimal, setTypedMinimal] = useState<Partial<Minimal>>({});
  const settings: SandboxSettings = {
    ...stored,
    ...typed,
    webhooks: { ...stored.webhooks, ...typedWebhooks },
    minimal: { ...stored.minimal, ...typedMinimal },
  };
  const changed =
    differs({ ...typed, fault: JSON.stringify(settings.fault) }, { ...stored, fault: JSON.stringify(stored.fault) }) ||
    differs(typedWebhooks, stored.webhooks) ||
    differs(typedMinimal, stored.minimal);
  const set = (part: typeof typed) => {
    save.reset();
    setTyped({ ...typed, ...part });
  };
  const setWebhooks = (part: Partial<Webhooks>) => {
    save.reset();
    setTypedWebhooks({ ...typedWebhooks, ...part });
  };
  const setMinimal = (part: Partial<Minimal>) => {
    save.reset();
    setTypedMinimal({ ...typedMinimal, ...part });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(settings, {
      onSuccess: () => {
        setTyped({});
        setTypedWebhooks({});
        setTypedMinimal({});
      },
    });
  };
  const error = (field: string) => placed(save.error, field);
  const isPlaced = FIELDS.some((field) => error(field) !== undefined);
  const { webhooks } = settings;

  return (
    <form className={classes.settingsForm} onSubmit={onSubmit}>
      <ProfileSettings
        profile={settings.profile}
        minimal={settings.minimal}
        onProfile={(profile) => set({ profile })}
        onMinimal={setMinimal}
      />
      <fieldset className={classes.group}>
        <legend>{t("webhooks.title")}</legend>
        <Switch
          size="xs"
          label={t("webhooks.paused")}
          description={t("webhooks.pausedText")}
          checked={webhooks.paused}
          onChange={(event) => setWebhooks({ paused: event.currentTarget.checked })}
        />
        <Seconds
          label={t("webhooks.delay")}
          value={webhooks.delayMs}
          onChange={(delayMs) => setWebhooks({ delayMs })}
          error={error("delayMs")}
        />
        <Count
          label={t("webhooks.duplicates")}
          description={t("webhooks.duplicatesText")}
          min={0}
          max={100}
          value={webhooks.duplicates}
          onChange={(duplicates) => setWebhooks({ duplicates })}
          error={error("duplicates")}
        />
        <Checkbox
          size="xs"
          label={t("webhooks.reorder")}
          checked={webhooks.reorder}
          onChange={(event) => setWebhooks({ reorder: event.currentTarget.checked })}
        />
        <Count
          label={t("webhooks.batch")}
          min={1}
          max={1_000}
          value={webhooks.batch}
          onChange={(batch) => setWebhooks({ batch })}
          error={error("batch")}
        />
        {(webhooks.reorder || webhooks.batch > 1) && (
          <Seconds
            label={t("webhooks.window")}
            description={t("webhooks.windowText")}
            value={webhooks.windowMs}
            onChange={(windowMs) => setWebhooks({ windowMs })}
            error={error("windowMs")}
          />
        )}
        <Select
          label={t("webhooks.signature")}
          data={SIGNATURES.map((value) => ({ value, label: t(`webhooks.signatureIs.${value}`) }))}
          value={webhooks.signature}
          onChange={(signature) => signature && setWebhooks({ signature: signature as Webhooks["signature"] })}
          allowDeselect={false}
          error={error("signature")}
        />
        <Select
          label={t("webhooks.errorForm")}
          data={ERROR_FORMS.map((value) => ({ value, label: t(`webhooks.errorFormIs.${value}`) }))}
          value={settings.errorForm}
          onChange={(errorForm) => errorForm && set({ errorForm: errorForm as SandboxSettings["errorForm"] })}
          allowDeselect={false}
        />
        <Select
          label={t("webhooks.mediaLinks")}
          data={MEDIA_LINKS.map((value) => ({ value, label: t(`webhooks.mediaLinksAre.${value}`) }))}
          value={settings.mediaLinks}
          onChange={(mediaLinks) => mediaLinks && set({ mediaLinks: mediaLinks as SandboxSettings["mediaLinks"] })}
          allowDeselect={false}
          error={error("mediaLinks")}
        />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t("settings.messages")}</legend>
        <Seconds
          label={t("settings.statusDelay")}
          value={settings.statusDelayMs}
          onChange={(statusDelayMs) => set({ statusDelayMs })}
          error={error("statusDelayMs")}
        />
        <Switch
          size="xs"
          label={t("settings.autoRead")}
          description={t("settings.autoReadText")}
          checked={settings.autoRead}
          onChange={(event) => set({ autoRead: event.currentTarget.checked })}
        />
        <Switch
          size="xs"
          label={t("settings.throttle")}
          description={t("settings.throttleText")}
          checked={settings.throttle}
          onChange={(event) => set({ throttle: event.currentTarget.checked })}
        />
      </fieldset>
      <fieldset className={classes.group}>
        <legend>{t("settings.review")}</legend>
        <Radio.Group
          aria-label={t("settings.review")}
          value={settings.review}
          onChange={(review) => set({ review: review as SandboxSettings["review"] })}
        >
          <Stack gap="xs">
            {POLICIES.map((policy) => (
              <Radio
                key={policy}
                size="xs"
                value={policy}
                label={t(`settings.policy.${policy}`)}
                description={t(`settings.policyText.${policy}`)}
              />
            ))}
          </Stack>
        </Radio.Group>
        <Seconds
          label={t("settings.reviewDelay")}
          value={settings.reviewDelayMs}
          onChange={(reviewDelayMs) => set({ reviewDelayMs })}
          error={error("reviewDelayMs")}
        />
      </fieldset>
      <FaultSettings fault={settings.fault} onChange={(fault) => set({ fault })} error={error} />
      {save.error && !isPlaced && <ErrorNotice error={save.error} />}
      <div className={classes.saveBar}>
        <Button type="submit" loading={save.isPending} disabled={!changed}>
          {t("settings.save")}
        </Button>
        <span role="status">{save.isSuccess && !changed ? t("settings.saved") : ""}</span>
      </div>
    </form>
  );
}

/** Fields that can say themselves why they are refused. */
const FIELDS = [
  "delayMs",
  "duplicates",
  "batch",
  "windowMs",
  "signature",
  "mediaLinks",
  "statusDelayMs",
  "reviewDelayMs",
  "answer",
  "operations",
  "times",
];

function differs<T extends object>(typed: Partial<T>, stored: T): boolean {
  return (Object.keys(typed) as (keyof T)[]).some((key) => typed[key] !== stored[key]);
}

interface FieldProps {
  label: string;
  description?: string;
  value: number;
  onChange: (value: number) => void;
  error: string | undefined;
}

/** Milliseconds, asked for in seconds. */
function Seconds({ value, onChange, ...field }: FieldProps) {
  const decimalSeparator = useDecimalSeparator();
  return (
    <NumberInput
      {...field}
      value={value / 1000}
      onChange={(seconds) => {
        if (seconds !== "" && Number.isFinite(Number(seconds))) onChange(Math.round(Number(seconds) * 1000));
      }}
      min={0}
      max={LONGEST_SECONDS}
      step={0.5}
      decimalScale={3}
      decimalSeparator={decimalSeparator}
      suffix=" s"
    />
  );
}

function Count({ value, onChange, ...field }: FieldProps & { min: number; max: number }) {
  return (
    <NumberInput
      {...field}
      value={value}
      onChange={(count) => {
        if (count !== "" && Number.isFinite(Number(count))) onChange(Number(count));
      }}
      allowDecimal={false}
      allowNegative={false}
    />
  );
}

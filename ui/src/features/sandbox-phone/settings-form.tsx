import { Button, Checkbox, Radio, Select, Stack, Switch } from "@mantine/core";
import { type FormEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SandboxSettings } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { NumberField } from "@/components/number-field";
import { hasInvalidNumber } from "@/components/number-text";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { FaultSettings } from "./fault-settings";
import { fieldName } from "./field-name";
import { ProfileSettings } from "./profile-settings";
import classes from "./sandbox-phone.module.css";

const POLICIES = ["auto", "approve", "reject", "reject_once", "manual"] as const;
const SIGNATURES = ["right", "wrong", "missing"] as const;
const MEDIA_LINKS = ["both", "url", "expired"] as const;
const ERROR_FORMS = ["profile", "array", "object", "error_array"] as const;
/** A day: longer waits help nobody in a sandbox. */
const MAX_SECONDS = 86_400;

type Webhooks = SandboxSettings["webhooks"];

/** How the sandbox reviews and delivers, and what it does to webhooks. */
export function SettingsForm({ stored }: { stored: SandboxSettings }) {
  const { t } = useTranslation("sandboxPhone");
  const save = useCommand("save_sandbox_settings");
  const options = {
    errors: [save.error?.error],
    fields: FIELDS,
    fieldOf: fieldName,
    onChange: save.reset,
  };
  // Groups of their own, so that a value that changes elsewhere is not overwritten by its typed neighbours.
  const { id: workspace } = useWorkspace();
  const kept = (form: string) => ({
    ...options,
    unfinished: { workspace, form: `sandbox ${form}`, storable: readable },
  });
  const form = useForm({ ...kept("settings"), initial: stored });
  const webhooksForm = useForm({ ...kept("webhooks"), initial: stored.webhooks });
  const minimalForm = useForm({ ...kept("minimal"), initial: stored.minimal });
  const forms = [form, webhooksForm, minimalForm];
  const settings = { ...form.values, webhooks: webhooksForm.values, minimal: minimalForm.values };
  const changed = forms.some(({ isDirty }) => isDirty);
  const isResumed = changed && forms.some((one) => one.isResumed);
  const { change: set, errorOf: error } = form;
  const setWebhooks = webhooksForm.change;
  const { webhooks } = settings;
  const [isOpen, setOpen] = useState(stored.customized);
  const hasFoldedError = FOLDED.some((field) => error(field) !== undefined);
  useEffect(() => {
    if (hasFoldedError) setOpen(true);
  }, [hasFoldedError]);
  const discard = () => {
    for (const one of forms) one.reset();
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (hasInvalidNumber({ webhooks, fault: settings.fault })) setOpen(true);
    if (hasInvalidNumber(settings)) return;
    save.mutate(settings, {
      onSuccess: () => {
        form.saved(settings);
        webhooksForm.saved(settings.webhooks);
        minimalForm.saved(settings.minimal);
      },
    });
  };

  return (
    <form className={classes.settingsForm} onSubmit={onSubmit}>
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
      <details
        className={classes.developers}
        open={isOpen}
        onToggle={(event) => {
          // Those within it may have folds of their own.
          if (event.target === event.currentTarget) setOpen(event.currentTarget.open);
        }}
      >
        <summary className={styles.muted}>{t("settings.developers")}</summary>
        <div className={classes.settingsForm}>
          <ProfileSettings
            profile={settings.profile}
            minimal={settings.minimal}
            onProfile={(profile) => set({ profile })}
            onMinimal={minimalForm.change}
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
            <NumberField
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
            <NumberField
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
          <FaultSettings fault={settings.fault} onChange={(fault) => set({ fault })} error={error} />
        </div>
      </details>
      {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} />}
      <div className={classes.saveBar}>
        {isResumed && (
          <>
            <span role="status">{t("settings.resumed")}</span>
            <Button variant="default" onClick={discard}>
              {t("settings.discard")}
            </Button>
          </>
        )}
        <Button type="submit" loading={save.isPending} disabled={!changed}>
          {t("settings.save")}
        </Button>
        <span role="status">{save.isSuccess && !changed ? t("settings.saved") : ""}</span>
      </div>
    </form>
  );
}

/** What was typed, without what is no number. */
const readable = <T extends object>(typed: Partial<T>): Partial<T> =>
  Object.fromEntries(Object.entries(typed).filter(([, value]) => !hasInvalidNumber(value))) as Partial<T>;

/** Fields of the folded settings that show their error themselves. */
const FOLDED = [
  "delayMs",
  "duplicates",
  "batch",
  "windowMs",
  "signature",
  "mediaLinks",
  "answer",
  "operations",
  "template",
  "offset",
  "from",
  "times",
];

/** Fields that show their error themselves. */
const FIELDS = [...FOLDED, "statusDelayMs", "reviewDelayMs"];

interface FieldProps {
  label: string;
  description?: string;
  value: number;
  onChange: (value: number) => void;
  error: string | undefined;
}

/** A field for milliseconds, shown in seconds. */
function Seconds({ value, onChange, ...field }: FieldProps) {
  return (
    <NumberField
      {...field}
      value={value / 1000}
      onChange={(seconds) => onChange(Math.round(seconds * 1000))}
      min={0}
      max={MAX_SECONDS}
      decimals={3}
      unit="s"
    />
  );
}

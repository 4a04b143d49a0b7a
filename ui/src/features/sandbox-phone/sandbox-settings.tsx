import { Button, NumberInput, Radio, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SandboxSettings } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import classes from "./sandbox-phone.module.css";

const POLICIES = ["auto", "approve", "reject", "reject_once", "manual"] as const;
/** A day: longer waits help nobody in a sandbox. */
const LONGEST_SECONDS = 86_400;

/** How the sandbox reviews and delivers. */
export function SandboxSettingsCard() {
  const { t } = useTranslation("sandboxPhone");
  const stored = useQuery(queries.sandboxSettings());
  return (
    <section className={classes.card}>
      <h2>{t("settings.title")}</h2>
      {stored.error && <ErrorNotice error={stored.error} onRetry={() => void stored.refetch()} />}
      {stored.isPending && <Loading rows={3} />}
      {stored.data && <Form stored={stored.data} />}
    </section>
  );
}

function Form({ stored }: { stored: SandboxSettings }) {
  const { t } = useTranslation("sandboxPhone");
  const save = useCommand("save_sandbox_settings");
  const [typed, setTyped] = useState<Partial<SandboxSettings>>({});
  const settings = { ...stored, ...typed };
  const changed = Object.keys(typed).some(
    (key) => settings[key as keyof SandboxSettings] !== stored[key as keyof SandboxSettings],
  );
  const set = (part: Partial<SandboxSettings>) => {
    save.reset();
    setTyped({ ...typed, ...part });
  };
  const seconds = (name: "reviewDelayMs" | "statusDelayMs") => ({
    value: settings[name] / 1000,
    onChange: (value: string | number) => {
      const number = Number(value);
      if (value !== "" && Number.isFinite(number)) set({ [name]: Math.round(number * 1000) });
    },
    min: 0,
    max: LONGEST_SECONDS,
    step: 0.5,
    decimalScale: 3,
    suffix: " s",
  });
  return (
    <form
      className={classes.settingsForm}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate(settings, { onSuccess: () => setTyped({}) });
      }}
    >
      <Radio.Group label={t("settings.review")} value={settings.review} onChange={(review) => set({ review })}>
        <Stack gap="xs" mt="xs">
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
      <NumberInput label={t("settings.reviewDelay")} {...seconds("reviewDelayMs")} />
      <NumberInput label={t("settings.statusDelay")} {...seconds("statusDelayMs")} />
      {save.error && <ErrorNotice error={save.error} />}
      <div className={classes.saveLine}>
        <Button type="submit" loading={save.isPending} disabled={!changed}>
          {t("settings.save")}
        </Button>
        <span role="status">{save.isSuccess && !changed ? t("settings.saved") : ""}</span>
      </div>
    </form>
  );
}

import { Button, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { UpdateSettings, UpdateState } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useForm } from "@/lib/use-form";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";
import { UpdateOutcome } from "./update-outcome";

/** Newer versions. Problems are shown here and nowhere else. */
export function UpdatesSection() {
  const { data, error } = useQuery(queries.updates());
  return (
    <SettingsPage>
      {error && <ErrorNotice error={error} />}
      {data && <UpdatesCard state={data} />}
    </SettingsPage>
  );
}

function UpdatesCard({ state }: { state: UpdateState }) {
  const { t } = useTranslation("settings");
  const save = useCommand("save_update_settings");
  const check = useCommand("check_for_updates");
  const form = useForm<UpdateSettings>({
    initial: state.settings,
    errors: [save.error?.error],
    fields: ["address", "publicKey"],
    onChange: save.reset,
  });
  const { enabled, address, publicKey } = form.values;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(form.values, { onSuccess: ({ settings }, sent) => form.saved(sent, settings) });
  };
  const failure = form.needsNotice(save.error?.error) ? save.error : check.error;

  return (
    <Card title={t("updates.title")} text={t("updates.text")}>
      <form onSubmit={submit} className={classes.rows} ref={form.attach}>
        <Switch
          label={t("updates.enabled")}
          checked={enabled}
          onChange={(event) => form.change({ enabled: event.currentTarget.checked })}
        />
        <TextInput
          data-field="address"
          label={t("updates.address")}
          description={
            state.builtInAddress
              ? t("updates.addressBuiltIn", { address: state.builtInAddress, nest: false })
              : t("updates.addressHint")
          }
          placeholder="https://example.com/latest.json"
          spellCheck={false}
          value={address}
          onChange={(event) => form.change({ address: event.currentTarget.value })}
          error={form.errorOf("address")}
        />
        <TextInput
          data-field="publicKey"
          label={t("updates.publicKey")}
          description={t("updates.publicKeyHint")}
          spellCheck={false}
          value={publicKey}
          onChange={(event) => form.change({ publicKey: event.currentTarget.value })}
          error={form.errorOf("publicKey")}
        />
        {failure && <ErrorNotice error={failure} />}
        <div className={classes.buttons}>
          <Button type="submit" loading={save.isPending} disabled={!form.isDirty}>
            {t("updates.save")}
          </Button>
          {state.settings.enabled && (
            <Button
              variant="default"
              loading={check.isPending}
              disabled={form.isDirty}
              onClick={() => check.mutate({})}
            >
              {t("updates.check")}
            </Button>
          )}
        </div>
      </form>
      <UpdateOutcome state={state} />
    </Card>
  );
}

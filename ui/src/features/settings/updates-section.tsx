import { Alert, Button, Switch, TextInput } from "@mantine/core";
import { IconAlertTriangle, IconExternalLink, IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { UpdateProblem, UpdateSettings, UpdateState } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

/** Announcements of newer versions. Problems are shown here and nowhere else. */
export function UpdatesSection() {
  const { data, error } = useQuery(settingsQueries.updates());
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
          description={t("updates.addressHint")}
          placeholder="https://example.com/template-desk.json"
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
      <Outcome state={state} />
    </Card>
  );
}

/** What the last check found. */
function Outcome({ state: { settings, version, available, checkedAt, problem } }: { state: UpdateState }) {
  const { t } = useTranslation("settings");
  const openLink = useCommand("open_link");
  if (!settings.enabled) return <Status>{t("updates.off")}</Status>;
  return (
    <>
      {available && (
        <Alert
          color="blue"
          variant="light"
          icon={<IconInfoCircle size={18} aria-hidden />}
          title={t("updates.available", { version: available.version })}
        >
          <p>{t("updates.availableText", { version })}</p>
          {available.notes !== "" && <p className={classes.notes}>{available.notes}</p>}
          <Button
            mt="xs"
            rightSection={<IconExternalLink size={15} aria-hidden />}
            loading={openLink.isPending}
            onClick={() => openLink.mutate({ url: available.url })}
          >
            {t("updates.open")}
          </Button>
          <p className={styles.muted}>{available.url}</p>
          {openLink.error && <ErrorNotice error={openLink.error} />}
        </Alert>
      )}
      {problem && (
        <Alert
          color="orange"
          variant="light"
          icon={<IconAlertTriangle size={18} aria-hidden />}
          title={t("updates.problemTitle")}
        >
          <Problem problem={problem} />
        </Alert>
      )}
      {checkedAt == null ? (
        <Status>{t("updates.never")}</Status>
      ) : (
        <Status>
          {!available && !problem && `${t("updates.current", { version })} `}
          {t("updates.checkedAt")} <Instant at={checkedAt} format="full" />
        </Status>
      )}
    </>
  );
}

function Problem({ problem }: { problem: UpdateProblem }) {
  const { t, i18n } = useTranslation("settings");
  switch (problem.kind) {
    case "status":
      return t("updates.problem.status", { status: problem.status });
    case "tooLarge":
      return t("updates.problem.tooLarge", { limit: byteSize(problem.limit, i18n.language) });
    case "downgrade":
      return t("updates.problem.downgrade", { version: problem.version });
    default:
      return t(`updates.problem.${problem.kind}`);
  }
}

function Status({ children }: { children: ReactNode }) {
  return (
    <p className={styles.muted} role="status">
      {children}
    </p>
  );
}

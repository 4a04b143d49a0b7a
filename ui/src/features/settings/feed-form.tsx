import { Button, Group, Select, Switch, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconCircleCheck, IconPlugConnected } from "@tabler/icons-react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { FeedReport, FeedSource, SaveFeed } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { KeyringNotice } from "./keyring-notice";
import { KeyringRefusal } from "./keyring-refusal";
import { ResumedNote } from "./resumed-note";
import { SecretField } from "./secret-field";
import classes from "./settings.module.css";

/** Opens the form of a server to follow, or of one that is followed. */
export function useFeedForm(): (feed?: FeedSource) => void {
  const { t } = useTranslation("settings");
  return (feed) =>
    modals.open({
      title: t(feed ? "feeds.form.change" : "feeds.follow"),
      size: "lg",
      closeOnClickOutside: false,
      children: <FeedForm feed={feed} />,
    });
}

interface FeedValues {
  workspace: string;
  address: string;
  /** Empty to keep the stored one. */
  token: string;
  endpoint: string;
  sessionOnly: boolean;
}

/** The token goes to the host only. */
const withoutToken = ({ token: _, ...typed }: Partial<FeedValues>) => typed;

function FeedForm({ feed }: { feed: FeedSource | undefined }) {
  const { t } = useTranslation("settings");
  const { workspaces, keyring } = useBootstrap();
  const shown = useWorkspace();
  const save = useCommand("save_feed");
  const check = useCommand("check_feed");
  const choices = workspaces.filter(({ sandbox }) => !sandbox);
  const first = choices.find(({ id }) => id === shown.id) ?? choices[0];
  const form = useForm<FeedValues>({
    initial: {
      workspace: feed?.workspace ?? first?.id ?? "",
      address: feed?.address ?? "",
      token: "",
      endpoint: feed?.endpoint ?? "",
      sessionOnly: false,
    },
    errors: [save.error?.error, check.error?.error],
    fields: ["workspace", "address", "token", "endpoint"],
    unfinished: {
      workspace: feed?.workspace ?? shown.id,
      form: feed ? `feed ${feed.id}` : "new feed",
      storable: withoutToken,
    },
    onChange: () => {
      save.reset();
      check.reset();
    },
  });
  const { values, change, errorOf } = form;
  const { workspace, address, token, endpoint, sessionOnly } = values;
  const isMoved = (["workspace", "address", "endpoint"] as const).some((name) => values[name] !== form.stored[name]);
  const offersSession = keyring.state !== "available" || save.error?.code === "keyringUnavailable" || sessionOnly;

  const request = (): SaveFeed => ({
    id: feed?.id ?? null,
    workspace,
    address: address.trim(),
    endpoint: endpoint.trim() || null,
    token: token.trim() || null,
    sessionOnly,
  });
  const discard = () => {
    form.reset();
    save.reset();
    check.reset();
  };
  const close = () => {
    form.reset();
    modals.closeAll();
  };
  const store = (forSession = sessionOnly) => {
    if (forSession !== sessionOnly) change({ sessionOnly: forSession });
    save.mutate(
      { ...request(), sessionOnly: forSession },
      {
        onSuccess: close,
      },
    );
  };
  const runTest = () => {
    save.reset();
    check.mutate(request());
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    check.reset();
    store();
  };

  return (
    <form ref={form.attach} onSubmit={onSubmit} className={classes.stepContent} noValidate>
      {form.isResumed && <ResumedNote text={t("feeds.form.resumed")} onDiscard={discard} />}
      <Select
        label={t("feeds.form.workspace")}
        description={t("feeds.form.workspaceHint")}
        allowDeselect={false}
        data-field="workspace"
        value={workspace}
        onChange={(id) => id !== null && change({ workspace: id })}
        data={choices.map(({ id, name }) => ({ value: id, label: name }))}
        error={errorOf("workspace")}
      />
      <TextInput
        label={t("feeds.form.address")}
        description={t("feeds.form.addressHint")}
        placeholder="https://hooks.example.com/feed"
        type="url"
        spellCheck={false}
        autoComplete="off"
        withAsterisk
        required
        data-autofocus
        data-field="address"
        value={address}
        onChange={(event) => change({ address: event.currentTarget.value })}
        error={errorOf("address")}
      />
      {keyring.state !== "available" && <KeyringNotice keyring={keyring} />}
      {offersSession && (
        <Switch
          label={t("keyring.session")}
          description={t("keyring.sessionHint")}
          checked={sessionOnly}
          onChange={(event) => change({ sessionOnly: event.currentTarget.checked })}
        />
      )}
      <SecretField
        kind="token"
        place={feed ? "somewhere" : "absent"}
        hint={t("feeds.form.tokenHint")}
        draft={{ typed: token, remove: false }}
        required
        onChange={({ typed }) => change({ token: typed })}
        error={errorOf("token")}
      />
      <TextInput
        label={t("feeds.form.endpoint")}
        description={t("feeds.form.endpointHint")}
        placeholder="/webhook"
        spellCheck={false}
        autoComplete="off"
        data-field="endpoint"
        value={endpoint}
        onChange={(event) => change({ endpoint: event.currentTarget.value })}
        error={errorOf("endpoint")}
      />
      {feed && <p className={styles.muted}>{t("feeds.form.refetch")}</p>}
      {check.data && <Report report={check.data} isFirst={!feed || isMoved} />}
      {form.needsNotice(check.error?.error) && <ErrorNotice error={check.error} offersSettings={false} />}
      {form.needsNotice(save.error?.error) && <ErrorNotice error={save.error} offersSettings={false} />}
      <KeyringRefusal save={save} onKeep={() => store(true)} />
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" onClick={close}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button
          variant="default"
          leftSection={<IconPlugConnected size={16} aria-hidden />}
          loading={check.isPending}
          disabled={address.trim() === ""}
          onClick={runTest}
        >
          {t("feeds.form.test")}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={address.trim() === ""}>
          {t("save", { ns: "common" })}
        </Button>
      </Group>
    </form>
  );
}

interface ReportProps {
  report: FeedReport;
  /** Whether nothing was fetched with these settings before. */
  isFirst: boolean;
}

/** What the token sees. */
function Report({ report: { desk, endpoints, waiting }, isFirst }: ReportProps) {
  const { t, i18n } = useTranslation("settings");
  const paths = new Intl.ListFormat(i18n.language).format(endpoints);
  const number = new Intl.NumberFormat(i18n.language).format(waiting);
  return (
    <p className={classes.stepLine} role="status">
      <IconCircleCheck size={18} className={classes.good} aria-hidden />
      <span>
        {t("feeds.form.works", { desk })}{" "}
        {endpoints.length === 0 ? t("feeds.form.seesAll") : t("feeds.form.sees", { paths })}{" "}
        {isFirst &&
          (waiting === 0 ? t("feeds.form.nothingWaiting") : t("feeds.form.waiting", { count: waiting, number }))}
      </span>
    </p>
  );
}

import { ActionIcon, Button, CloseButton, TextInput, Tooltip } from "@mantine/core";
import { IconDeviceMobile, IconFlask2, IconPlus, IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneRow } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { useMessageKindText } from "@/components/message-kind";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { SplitView } from "@/components/split-view";
import { Toolbar } from "@/components/toolbar";
import { VirtualList } from "@/components/virtual-list";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useAddPhone } from "./add-phone";
import { PhoneThread } from "./phone-thread";
import { sandboxPhoneQueries } from "./queries";
import { ResetSandbox } from "./reset-sandbox";
import classes from "./sandbox-phone.module.css";
import { EVERY_PHONE } from "./script";
import { ScriptForm } from "./script-form";
import { SettingsForm } from "./settings-form";

/** The phones the sandbox delivers to. Only the sandbox workspace has them. */
export function SandboxPhoneScreen() {
  const { t } = useTranslation("sandboxPhone");
  const workspace = useWorkspace();
  return (
    <>
      <PageHeader title={t("title")} detail={t("detail")} />
      {workspace.sandbox ? <Phones /> : <ElsewhereOnly name={workspace.name} />}
    </>
  );
}

/** Says why there is no phone here, and leads to where there is one. */
function ElsewhereOnly({ name }: { name: string }) {
  const { t } = useTranslation("sandboxPhone");
  const { workspaces, preferences } = useBootstrap();
  const save = useCommand("save_preferences");
  const sandbox = workspaces.find((workspace) => workspace.sandbox);
  return (
    <>
      <Empty Icon={IconFlask2} title={t("elsewhere.title")} text={t("elsewhere.text", { name })}>
        {sandbox && (
          <Button loading={save.isPending} onClick={() => save.mutate({ ...preferences, workspace: sandbox.id })}>
            {t("elsewhere.switch", { name: sandbox.name })}
          </Button>
        )}
      </Empty>
      {save.error && <ErrorNotice error={save.error} />}
    </>
  );
}

function Phones() {
  const { t } = useTranslation("sandboxPhone");
  const navigate = useNavigate();
  const { recipient: asked } = useSearch({ from: "/phone" });
  const phones = useQuery(queries.phones());
  const settings = useQuery(sandboxPhoneQueries.sandboxSettings());
  const scripts = useQuery(sandboxPhoneQueries.phoneScripts());
  const [search, setSearch] = useState("");
  const show = (recipient: string) => void navigate({ to: "/phone", search: { recipient } });
  const openForm = useAddPhone(show);
  const open = phones.data?.find(({ recipient }) => recipient === asked) ?? phones.data?.[0];
  const everyScript = scripts.data?.find(({ recipient }) => recipient === EVERY_PHONE)?.script;
  const rows = phones.data?.filter((row) => matches(row, search));
  return (
    <SplitView
      list={
        <>
          <Toolbar
            divided
            className={classes.search}
            search={
              <TextInput
                size="xs"
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
                leftSection={<IconSearch size={15} aria-hidden />}
                rightSection={
                  search === "" ? null : (
                    <CloseButton size="xs" aria-label={t("clearSearch")} onClick={() => setSearch("")} />
                  )
                }
                placeholder={t("searchShort")}
                aria-label={t("search")}
                spellCheck={false}
              />
            }
          >
            <Tooltip label={t("add.title")}>
              <ActionIcon variant="default" size={30} aria-label={t("add.title")} onClick={() => openForm()}>
                <IconPlus size={16} />
              </ActionIcon>
            </Tooltip>
          </Toolbar>
          {phones.error && <ErrorNotice error={phones.error} onRetry={() => void phones.refetch()} />}
          {phones.isPending && <Loading rows={3} />}
          {rows?.length === 0 && search !== "" && <p className={classes.none}>{t("nothingFound")}</p>}
          {rows !== undefined && rows.length > 0 && (
            <VirtualList
              rows={rows}
              rowKey={({ recipient }) => recipient}
              rowHeight={68}
              label={t("phones")}
              rowLabel={({ recipient, name, messages }) =>
                t("phone", { recipient: name ? `${name}, ${recipient}` : recipient, count: messages })
              }
              selected={open?.recipient}
              onOpen={({ recipient }) => show(recipient)}
              memory="phones"
            >
              {(row) => <Row row={row} />}
            </VirtualList>
          )}
        </>
      }
      panel={
        <Panel label={t("settings.title")} className={classes.settings}>
          {scripts.error && <ErrorNotice error={scripts.error} onRetry={() => void scripts.refetch()} />}
          {phones.data && scripts.data && (
            <ScriptForm key={open?.recipient ?? ""} phone={open} everyScript={everyScript} />
          )}
          <section className={classes.card} aria-labelledby="sandbox-settings">
            <h2 id="sandbox-settings">{t("settings.title")}</h2>
            {settings.error && <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />}
            {settings.isPending && <Loading rows={3} />}
            {settings.data && <SettingsForm stored={settings.data} />}
          </section>
          <ResetSandbox />
        </Panel>
      }
    >
      <div className={classes.stage}>
        {open === undefined ? (
          phones.data && (
            <Empty Icon={IconDeviceMobile} title={t("empty.title")} text={t("empty.text")}>
              <Button renderRoot={(props) => <Link to="/sends/new" {...props} />}>{t("empty.send")}</Button>
              <Button variant="default" onClick={() => openForm()}>
                {t("add.title")}
              </Button>
            </Empty>
          )
        ) : (
          <PhoneThread
            key={open.recipient}
            phone={open}
            script={open.script ?? everyScript}
            settings={settings.data}
            onRename={() => openForm(open)}
          />
        )}
      </div>
    </SplitView>
  );
}

/** By a part of the number, however it is spaced, of the name, or of the last message. */
function matches({ recipient, name, excerpt }: PhoneRow, search: string): boolean {
  const words = search.trim().toLocaleLowerCase();
  const digits = words.replace(/[\s()+.-]/g, "");
  return (
    (/^\d+$/.test(digits) && recipient.includes(digits)) ||
    `${name ?? ""}\n${recipient}\n${excerpt}`.toLocaleLowerCase().includes(words)
  );
}

/** The number has a line of its own, so that it is read whole in a narrow window, too. */
function Row({ row: { formatted, name, lastKind, excerpt, lastAt, messages } }: { row: PhoneRow }) {
  const kindText = useMessageKindText();
  return (
    <div className={classes.row}>
      <span className={classes.recipient} dir="auto">
        {name || formatted}
      </span>
      {name && <span className={classes.number}>{formatted}</span>}
      <span className={classes.last}>
        <span className={classes.excerpt} dir="auto">
          {excerpt || kindText(lastKind)}
        </span>
        {messages > 0 && (
          <span className={classes.time}>
            <Instant at={lastAt} />
          </span>
        )}
      </span>
    </div>
  );
}

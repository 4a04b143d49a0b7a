import { Badge, Button } from "@mantine/core";
import { IconDeviceMobile, IconFlask2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { VirtualList } from "@/components/virtual-list";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { PhoneConversation } from "./phone-conversation";
import classes from "./sandbox-phone.module.css";
import { SandboxSettingsCard } from "./sandbox-settings";

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
  const open = phones.data?.find(({ recipient }) => recipient === asked)?.recipient ?? phones.data?.[0]?.recipient;
  return (
    <div className={classes.split}>
      <div className={classes.phones}>
        {phones.error && <ErrorNotice error={phones.error} onRetry={() => void phones.refetch()} />}
        {phones.isPending && <Loading rows={3} />}
        {phones.data !== undefined && phones.data.length > 0 && (
          <VirtualList
            rows={phones.data}
            rowKey={({ recipient }) => recipient}
            rowHeight={56}
            label={t("phones")}
            rowLabel={({ recipient, messages }) => t("phone", { recipient, count: messages })}
            selected={open}
            onOpen={({ recipient }) => void navigate({ to: "/phone", search: { recipient } })}
            memory="phones"
          >
            {(row) => (
              <div className={classes.row}>
                <span className={classes.recipient}>{row.recipient}</span>
                <span className={classes.time}>
                  <Instant at={row.lastAt} />
                </span>
                <Badge variant="default" size="sm">
                  {row.messages}
                </Badge>
              </div>
            )}
          </VirtualList>
        )}
      </div>
      <div className={classes.stage}>
        {open === undefined ? (
          phones.data && (
            <Empty Icon={IconDeviceMobile} title={t("empty.title")} text={t("empty.text")}>
              <Button renderRoot={(props) => <Link to="/sends/new" {...props} />}>{t("empty.send")}</Button>
            </Empty>
          )
        ) : (
          <PhoneConversation key={open} recipient={open} />
        )}
      </div>
      <aside className={classes.settings} aria-label={t("settings.title")}>
        <SandboxSettingsCard />
      </aside>
    </div>
  );
}

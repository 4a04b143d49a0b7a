import { ActionIcon, SegmentedControl, Tooltip } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { SendForm } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { StatusBadge } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { useRefreshTemplates } from "@/lib/refresh";
import { Back } from "./back";
import classes from "./fields.module.css";
import { focusHeading } from "./focus-heading";
import { sendsQueries } from "./queries";
import { ReplyNote } from "./reply-note";
import { SendComposer } from "./send-composer";
import { TemplateChoice } from "./template-choice";
import { TextComposer } from "./text-composer";
import { useAnsweredPerson } from "./use-preset-recipient";

const route = getRouteApi("/sends/new");

/** A test send: of a template, which is chosen first, or of a free text. */
export function NewSendScreen() {
  const { t } = useTranslation("sends");
  const { reference, mode, number } = route.useSearch();
  const navigate = route.useNavigate();
  const { id, sandbox } = useWorkspace();
  if (mode === "text") return <Writing />;
  if (reference) return <Filling key={reference} reference={reference} />;
  return (
    <>
      <PageHeader lead={<Back to="/sends" />} title={t("new")} detail={t("choose.title")}>
        <ModeSwitch mode="template" />
      </PageHeader>
      <ReplyNote workspace={id} sandbox={sandbox} />
      <TemplateChoice
        from={number}
        onChoose={(chosen) => void navigate({ search: (before) => ({ ...before, reference: chosen }) })}
      />
    </>
  );
}

/** What kind of message it is to be. */
function ModeSwitch({ mode }: { mode: "template" | "text" }) {
  const { t } = useTranslation("sends");
  const navigate = route.useNavigate();
  return (
    <SegmentedControl
      aria-label={t("mode.label")}
      value={mode}
      onChange={(next) =>
        void navigate({
          search: ({ reference: _, mode: __, ...rest }) => ({ ...rest, ...(next === "text" ? { mode: "text" } : {}) }),
        })
      }
      data={[
        { value: "template", label: t("mode.template") },
        { value: "text", label: t("mode.text") },
      ]}
    />
  );
}

function Filling({ reference }: { reference: string }) {
  const { t } = useTranslation("sends");
  const workspace = useWorkspace();
  const form = useQuery(sendsQueries.sendForm(workspace.id, reference));
  const person = useAnsweredPerson() ?? "";
  useEffect(() => {
    // The list in which the template was chosen is gone.
    if (document.activeElement === document.body) focusHeading();
  }, []);
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/new" />}
        title={t("new")}
        detail={form.data && <TemplateState workspace={workspace.id} form={form.data} />}
      />
      {form.error && <ErrorNotice error={form.error} onRetry={() => void form.refetch()} />}
      {form.isPending && <Loading />}
      {form.data && (
        <SendComposer
          key={`${workspace.id} ${person}`}
          workspace={workspace.id}
          sandbox={workspace.sandbox}
          reference={reference}
          form={form.data}
        />
      )}
    </>
  );
}

/** The cached template, its age, and a button that refreshes it. */
function TemplateState({ workspace, form }: { workspace: string; form: SendForm }) {
  const { t } = useTranslation("sends");
  const { refresh, isPending } = useRefreshTemplates();
  const languageName = useLanguageName();
  return (
    <span className={classes.templateState}>
      <span>
        {form.name} · {languageName(form.language)}
      </span>
      <StatusBadge status={form.archived ? "ARCHIVED" : form.status} size="xs" />
      <span>
        {form.cachedAt == null ? (
          t("form.neverFetched")
        ) : (
          <>
            {t("form.asOf")} <Instant at={form.cachedAt} />
          </>
        )}
      </span>
      <Tooltip label={t("form.refresh")}>
        <ActionIcon size="sm" onClick={() => refresh(workspace)} loading={isPending} aria-label={t("form.refresh")}>
          <IconRefresh size={14} />
        </ActionIcon>
      </Tooltip>
    </span>
  );
}

function Writing() {
  const { t } = useTranslation("sends");
  const { id, sandbox } = useWorkspace();
  const workspace = useQuery(queries.workspace(id));
  const person = useAnsweredPerson() ?? "";
  return (
    <>
      <PageHeader lead={<Back to="/sends" />} title={t("new")} detail={t("mode.textDetail")}>
        <ModeSwitch mode="text" />
      </PageHeader>
      {workspace.error && <ErrorNotice error={workspace.error} onRetry={() => void workspace.refetch()} />}
      {workspace.isPending && <Loading />}
      {workspace.data && (
        <TextComposer
          key={`${id} ${person}`}
          workspace={id}
          sandbox={sandbox}
          numbers={workspace.data.settings.numbers}
        />
      )}
    </>
  );
}

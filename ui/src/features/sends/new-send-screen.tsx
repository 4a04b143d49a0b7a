import { Button } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { SendComposer } from "./send-composer";
import { TemplateChoice } from "./template-choice";

/** A test send: first the template, then what fills it. */
export function NewSendScreen() {
  const { t } = useTranslation("sends");
  const { reference } = useSearch({ from: "/sends/new" });
  if (reference) return <Filling key={reference} reference={reference} />;
  return (
    <>
      <PageHeader lead={<Back to="/sends" />} title={t("new")} detail={t("choose.title")} />
      <TemplateChoice />
    </>
  );
}

function Back({ to }: { to: "/sends" | "/sends/new" }) {
  const { t } = useTranslation("sends");
  return (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<IconArrowLeft size={16} aria-hidden />}
      renderRoot={(props) => <Link to={to} search={{}} {...props} />}
    >
      {t(to === "/sends" ? "title" : "choose.other")}
    </Button>
  );
}

function Filling({ reference }: { reference: string }) {
  const { t } = useTranslation("sends");
  const workspace = useWorkspace();
  const form = useQuery(queries.sendForm(workspace.id, reference));
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/new" />}
        title={t("new")}
        detail={
          form.data && (
            <>
              {form.data.name} · {form.data.language}
            </>
          )
        }
      />
      {form.error && <ErrorNotice error={form.error} onRetry={() => void form.refetch()} />}
      {form.isPending && <Loading />}
      {form.data && (
        <SendComposer
          key={workspace.id}
          workspace={workspace.id}
          sandbox={workspace.sandbox}
          reference={reference}
          form={form.data}
        />
      )}
    </>
  );
}

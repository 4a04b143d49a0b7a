import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { Back } from "../back";
import { sendsQueries } from "../queries";
import { TemplateChoice } from "../template-choice";
import { BatchComposer } from "./batch-composer";
import { useBatchDraft } from "./draft";

const route = getRouteApi("/sends/batches/new");

/** A batch to be: first the template, then who gets it and what fills it. */
export function NewBatchScreen() {
  const { t } = useTranslation("batches");
  const { reference } = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const [{ ids, source }] = useBatchDraft(workspace.id);
  if (reference) return <Filling key={`${workspace.id} ${reference}`} reference={reference} />;
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/batches" />}
        title={t("new.title")}
        detail={
          source === "recipients" && ids.length > 0
            ? t("new.chooseFor", { count: ids.length })
            : t("choose.title", { ns: "sends" })
        }
      />
      <TemplateChoice onChoose={(chosen) => void navigate({ search: { reference: chosen } })} />
    </>
  );
}

function Filling({ reference }: { reference: string }) {
  const { t } = useTranslation("batches");
  const workspace = useWorkspace();
  const form = useQuery(sendsQueries.sendForm(workspace.id, reference));
  return (
    <>
      <PageHeader
        lead={<Back to="/sends/batches/new" />}
        title={t("new.title")}
        detail={form.data && `${form.data.name} · ${form.data.language}`}
      />
      {form.error && <ErrorNotice error={form.error} onRetry={() => void form.refetch()} />}
      {form.isPending && <Loading />}
      {form.data && <BatchComposer workspace={workspace} reference={reference} form={form.data} />}
    </>
  );
}

import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { call } from "@/lib/ipc/client";
import { Composer } from "./composer";
import { composerQueries } from "./queries";
import { draftSettled } from "./use-autosave";

const route = getRouteApi("/drafts/$draft");

export function ComposerScreen() {
  const { t } = useTranslation("composer");
  const { draft: id } = route.useParams();
  const draft = useQuery({
    ...composerQueries.draft(id),
    queryFn: async () => {
      await draftSettled(id);
      return call("get_draft", { draft: id });
    },
  });
  if (draft.isPending) return <Loading />;
  if (draft.isError) {
    return (
      <>
        <PageHeader title={t("title")} />
        <ErrorNotice error={draft.error} onRetry={() => void draft.refetch()} />
      </>
    );
  }
  return <Composer key={draft.data.id} initial={draft.data} />;
}

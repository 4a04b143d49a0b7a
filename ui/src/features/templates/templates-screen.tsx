import { Button, SegmentedControl } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconBraces, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { DraftList } from "./draft-list";
import { Freshness } from "./freshness";
import { FromJsonForm } from "./from-json-form";
import { TemplateList } from "./template-list";
import { useCreateDraft } from "./use-create-draft";

const route = getRouteApi("/templates");

export function TemplatesScreen() {
  const { t } = useTranslation("templates");
  const { view } = route.useSearch();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const drafts = useQuery(queries.drafts(workspace.id));
  const creation = useCreateDraft();
  const begin = () => creation.begin({ edit: false });
  const beginFromJson = () =>
    modals.open({
      title: t("fromJson.title"),
      size: "lg",
      closeOnClickOutside: false,
      children: <FromJsonForm />,
    });

  return (
    <>
      <PageHeader
        title={t("title")}
        aside={
          <SegmentedControl
            size="xs"
            aria-label={t("views")}
            value={view ?? "templates"}
            onChange={(next) =>
              void navigate({ to: "/templates", search: next === "drafts" ? { view: "drafts" } : {}, replace: true })
            }
            data={[
              { value: "templates", label: t("provider") },
              { value: "drafts", label: t("drafts", { count: drafts.data?.length ?? 0 }) },
            ]}
          />
        }
      >
        <Freshness />
        <Button variant="default" leftSection={<IconBraces size={16} />} onClick={beginFromJson}>
          {t("fromJson.action")}
        </Button>
        <Button leftSection={<IconPlus size={16} />} onClick={begin} loading={creation.isPending}>
          {t("new")}
        </Button>
      </PageHeader>
      {creation.error && <ErrorNotice error={creation.error} />}
      {view === "drafts" ? <DraftList onBegin={begin} /> : <TemplateList key={workspace.id} onBegin={begin} />}
    </>
  );
}

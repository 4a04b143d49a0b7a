import { Button, SegmentedControl } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { DraftList } from "./draft-list";
import { Freshness } from "./freshness";
import { TemplateList } from "./template-list";

const route = getRouteApi("/templates");

export function TemplatesScreen() {
  const { t } = useTranslation("templates");
  const { view } = route.useSearch();
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const drafts = useQuery(queries.drafts(workspace.id));
  const createDraft = useCommand("create_draft");

  const begin = () =>
    createDraft.mutate(
      { workspace: workspace.id, edit: false },
      { onSuccess: ({ id }) => void navigate({ to: "/drafts/$draft", params: { draft: id } }) },
    );

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
        <Button leftSection={<IconPlus size={16} />} onClick={begin} loading={createDraft.isPending}>
          {t("new")}
        </Button>
      </PageHeader>
      {view === "drafts" ? <DraftList onBegin={begin} /> : <TemplateList key={workspace.id} onBegin={begin} />}
    </>
  );
}

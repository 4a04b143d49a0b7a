import { ActionIcon, Alert, Button, Group, Menu, SegmentedControl } from "@mantine/core";
import { IconDots, IconFileImport, IconFolderDown, IconHistory, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "@/components/error-notice";
import { useExportTemplates } from "@/components/export-templates";
import { Loading } from "@/components/loading";
import { MenuOnDemand } from "@/components/on-demand";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { useRefreshTemplates } from "@/lib/refresh";
import { templateQuery } from "@/lib/template-filter";
import { InterruptedAction } from "./bulk-actions/interrupted-action";
import { FirstSteps } from "./first-steps";
import { Freshness } from "./freshness";
import { TemplateList } from "./list/template-list";
import { templatesQueries } from "./queries";
import { useImport } from "./use-import";

const route = getRouteApi("/templates");

// Loaded when they are opened: the list shows none of them.
const DraftList = lazy(() => import("./draft-list").then((list) => ({ default: list.DraftList })));
const LanguageMatrix = lazy(() => import("./matrix/language-matrix").then((m) => ({ default: m.LanguageMatrix })));
const BulkActionDialog = lazy(() =>
  import("./bulk-actions/bulk-action-dialog").then((dialog) => ({ default: dialog.BulkActionDialog })),
);
const BulkActionLog = lazy(() =>
  import("./bulk-actions/bulk-action-log").then((log) => ({ default: log.BulkActionLog })),
);

const VIEWS = ["templates", "languages", "drafts"] as const;

export function TemplatesScreen() {
  const { t } = useTranslation("templates");
  const { view = "templates", bulkAction, log } = route.useSearch();
  const navigate = useNavigate({ from: "/templates" });
  const workspace = useWorkspace();
  const drafts = useQuery(queries.drafts(workspace.id)).data?.length ?? 0;
  const [bulkActions, setBulkActions] = useState(0);
  const begin = () => void navigate({ to: "/templates/new" });

  return (
    <>
      <PageHeader
        title={t("title")}
        aside={
          <SegmentedControl
            size="xs"
            aria-label={t("views")}
            value={view}
            onChange={(chosen) => {
              const next = VIEWS.find((one) => one === chosen) ?? "templates";
              void navigate({
                to: "/templates",
                // The list and the languages are narrowed together.
                search: ({ view: _, ...filter }) => (next === "templates" ? filter : { ...filter, view: next }),
                replace: true,
              });
            }}
            data={[
              { value: "templates", label: t("provider") },
              { value: "languages", label: t("languageView") },
              {
                value: "drafts",
                label: (
                  <>
                    {t("drafts")} <span aria-hidden>{drafts}</span>
                  </>
                ),
              },
            ]}
          />
        }
      >
        <Freshness />
        <MoreMenu />
        <Button leftSection={<IconPlus size={16} />} onClick={begin}>
          {t("new")}
        </Button>
      </PageHeader>
      <SyncFailure />
      <Collapse />
      <InterruptedAction />
      {view === "templates" && <FirstSteps />}
      <Suspense fallback={<Loading />}>
        {view === "drafts" && <DraftList onBegin={begin} />}
        {view === "languages" && <LanguageMatrix key={workspace.id} />}
      </Suspense>
      {view === "templates" && <TemplateList key={workspace.id} onBegin={begin} bulkActions={bulkActions} />}
      <Suspense>
        {bulkAction !== undefined && (
          <BulkActionDialog key={bulkAction} id={bulkAction} onStart={() => setBulkActions(bulkActions + 1)} />
        )}
        {bulkAction === undefined && log === "open" && <BulkActionLog />}
      </Suspense>
    </>
  );
}

function SyncFailure() {
  const workspace = useWorkspace();
  const failure = useQuery(templatesQueries.syncFailure(workspace.id)).data;
  const { refresh } = useRefreshTemplates();
  return failure ? <ErrorNotice error={failure} onRetry={() => refresh(workspace.id)} /> : null;
}

/** Says that the last refresh left out so many templates that they are kept for now. */
function Collapse() {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const { kept = 0, all = 0, facets } = useQuery(queries.templates(templateQuery(workspace.id, {}), 0, 1)).data ?? {};
  const { refresh, isPending } = useRefreshTemplates();
  if (kept === 0) return null;
  const active = all - (facets?.archived ?? 0);
  return (
    <Alert color="orange" variant="light" radius={0} role="status" title={t("collapse.title")}>
      <Group gap="xs" justify="space-between">
        <span>{t("collapse.text", { listed: active - kept, all: active })}</span>
        <Button size="compact-xs" variant="default" loading={isPending} onClick={() => refresh(workspace.id)}>
          {t("refresh")}
        </Button>
      </Group>
    </Alert>
  );
}

function MoreMenu() {
  const { t } = useTranslation("templates");
  const navigate = useNavigate({ from: "/templates" });
  const workspace = useWorkspace();
  const { run: write, isPending } = useExportTemplates();
  const beginImport = useImport();
  const exportAll = () => {
    const query = { ...templateQuery(workspace.id, { archived: "all" }), offset: 0, limit: 1 };
    write({ kind: "query", query });
  };
  return (
    <>
      <Button variant="default" leftSection={<IconFileImport size={16} />} onClick={beginImport}>
        {t("import.action")}
      </Button>
      <MenuOnDemand
        position="bottom-end"
        shadow="md"
        width={260}
        target={
          <ActionIcon variant="default" size={30} aria-label={t("more")} loading={isPending}>
            <IconDots size={16} />
          </ActionIcon>
        }
      >
        {() => (
          <>
            <Menu.Item leftSection={<IconFolderDown size={16} />} onClick={exportAll}>
              {t("export.all")}
            </Menu.Item>
            <Menu.Divider />
            <Menu.Item
              leftSection={<IconHistory size={16} />}
              onClick={() =>
                void navigate({ to: "/templates", search: (before) => ({ ...before, log: "open" }), replace: true })
              }
            >
              {t("log.title", { ns: "bulkActions" })}
            </Menu.Item>
          </>
        )}
      </MenuOnDemand>
    </>
  );
}

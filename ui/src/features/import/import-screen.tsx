import { Button, MultiSelect, Select } from "@mantine/core";
import { IconBuilding, IconDownload, IconFolderOpen, IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Import, TemplateTarget } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { useExportTemplates } from "@/components/export-templates";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { getCopyTarget } from "@/lib/copy-target";
import { useBootstrap, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { templateQuery } from "@/lib/template-filter";
import { useWabaText } from "@/lib/waba-names";
import classes from "./import.module.css";
import { PlanView } from "./plan-view";
import { type ImportSource, importQueries } from "./queries";
import { RunView, useRuns } from "./run-view";

const route = getRouteApi("/templates/import");

/** Templates from a folder, or from another workspace: what would happen, then what did. */
export function ImportScreen() {
  const { copy, from, to } = route.useSearch();
  const workspace = useWorkspace();
  if (copy === undefined) return <FromFolder key={workspace.id} workspace={workspace.id} />;
  const source = from ?? workspace.id;
  return <Copy key={source} from={source} to={to ?? workspace.id} target={getCopyTarget(source)} />;
}

function FromFolder({ workspace }: { workspace: string }) {
  const { t } = useTranslation("import");
  const client = useQueryClient();
  const choose = useCommand("choose_import");
  const writing = useExportTemplates();
  const [folder, setFolder] = useState<string>();
  const [wabas, setWabas] = useState<string[]>([]);
  const runs = useRuns(workspace);
  const sourceOf = (path: string): ImportSource => ({ kind: "folder", request: { workspace, folder: path, wabas } });
  const ask = () =>
    choose.mutate(
      { workspace, wabas },
      {
        // Nothing comes back where the dialog was closed without a choice.
        onSuccess: (plan) => {
          if (plan === null) return;
          client.setQueryData(importQueries.importPlan(sourceOf(plan.source)).queryKey, plan);
          setFolder(plan.source);
          runs.forget();
        },
      },
    );
  const button = (
    <Button
      variant={folder === undefined ? "filled" : "default"}
      leftSection={<IconFolderOpen size={16} aria-hidden />}
      loading={choose.isPending}
      onClick={ask}
    >
      {t("choose")}
    </Button>
  );
  return (
    <>
      <PageHeader title={t("title")} detail={folder ?? t("detail")}>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          loading={writing.isPending}
          onClick={() =>
            writing.run({
              kind: "query",
              query: { ...templateQuery(workspace, {}), archived: null, offset: 0, limit: 1 },
            })
          }
        >
          {t("export")}
        </Button>
        {folder !== undefined && button}
      </PageHeader>
      <div className={classes.form}>
        <Wabas workspace={workspace} value={wabas} onChange={setWabas} placeholder={t("wabas.asFile")} />
      </div>
      {choose.error && <ErrorNotice error={choose.error} />}
      <Planning
        source={folder === undefined ? undefined : sourceOf(folder)}
        runs={runs}
        // The files of a copy belong to the app.
        sourceOf={({ source, isCopy, wabas }) =>
          isCopy ? undefined : { kind: "folder", request: { workspace, folder: source, wabas } }
        }
        onAgain={({ source, wabas }) => {
          setFolder(source);
          setWabas(wabas);
        }}
      >
        <Empty Icon={IconFolderOpen} title={t("none")} text={t("noneText")}>
          {button}
        </Empty>
      </Planning>
    </>
  );
}

interface CopyProps {
  from: string;
  to: string;
  /** The templates; absent when the window was opened here, where nobody chose any. */
  target: TemplateTarget | undefined;
}

function Copy({ from, to, target }: CopyProps) {
  const { t } = useTranslation("import");
  const { workspaces } = useBootstrap();
  const navigate = useNavigate();
  const known = useQuery(queries.workspace(to)).data?.settings.wabaIds;
  const [chosen, setChosen] = useState<string[]>();
  // Where there is one WABA only, there is nothing to choose.
  const wabas = chosen ?? (known?.length === 1 ? known : []);
  const runs = useRuns(to);
  const nameOf = (id: string) => workspaces.find((workspace) => workspace.id === id)?.name ?? id;
  return (
    <>
      <PageHeader title={t("copyTitle")} detail={t("copyDetail", { from: nameOf(from) })} />
      <div className={classes.form}>
        <Select
          label={t("to")}
          allowDeselect={false}
          value={to}
          onChange={(next) => {
            setChosen(undefined);
            void navigate({ to: "/templates/import", search: { copy: "yes", from, to: next ?? to }, replace: true });
          }}
          data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
        />
        <Wabas workspace={to} value={wabas} onChange={setChosen} placeholder={t("wabas.choose")} />
      </div>
      <Planning
        source={
          target && known && wabas.length > 0 ? { kind: "copy", request: { from, target, to, wabas } } : undefined
        }
        runs={runs}
      >
        {target === undefined ? (
          <Empty Icon={IconFolderOpen} title={t("noChoice")} text={t("noChoiceText")} />
        ) : known?.length === 0 ? (
          <Empty Icon={IconBuilding} title={t("toNoWaba", { to: nameOf(to) })} text={t("toNoWabaText")}>
            <Button
              renderRoot={(props) => (
                <Link to="/settings" search={{ section: "workspace", workspace: to }} {...props} />
              )}
            >
              {t("toSettings", { to: nameOf(to) })}
            </Button>
          </Empty>
        ) : known && wabas.length === 0 ? (
          <Empty Icon={IconBuilding} title={t("noWaba")} text={t("noWabaText")} />
        ) : (
          <Loading />
        )}
      </Planning>
    </>
  );
}

interface WabasProps {
  workspace: string;
  value: string[];
  onChange: (wabas: string[]) => void;
  placeholder: string;
}

/** Where new templates are created. */
function Wabas({ workspace, value, onChange, placeholder }: WabasProps) {
  const { t } = useTranslation("import");
  const wabaText = useWabaText(workspace);
  const known = useQuery(queries.workspace(workspace)).data?.settings.wabaIds ?? [];
  return (
    <MultiSelect
      label={t("wabas.label")}
      description={t("wabas.hint")}
      placeholder={value.length === 0 ? placeholder : undefined}
      clearable
      clearButtonProps={{ "aria-label": t("wabas.clear") }}
      value={value}
      onChange={onChange}
      data={[...new Set([...known, ...value])].map((waba) => ({ value: waba, label: wabaText(waba) }))}
    />
  );
}

interface PlanningProps {
  source: ImportSource | undefined;
  runs: ReturnType<typeof useRuns>;
  /** The source of an import, so that it is planned again; by default that of the plan, if the import is its own. */
  sourceOf?: (last: Import) => ImportSource | undefined;
  /** Called with an import that was planned again and is put away. */
  onAgain?: (last: Import) => void;
  /** Shown while there is nothing to plan. */
  children: ReactNode;
}

/** The plan, or the result of the last one. */
function Planning({ source, runs, sourceOf, onAgain, children }: PlanningProps) {
  const { t } = useTranslation("import");
  const client = useQueryClient();
  const plan = useQuery({ ...importQueries.importPlan(source ?? NOTHING), enabled: source !== undefined });
  const { last } = runs;
  const own = last !== undefined && plan.data?.id === last.id ? source : undefined;
  const next = last === undefined ? source : sourceOf ? sourceOf(last) : own;
  const checking = useMutation({
    mutationFn: (next: ImportSource) => client.fetchQuery({ ...importQueries.importPlan(next), staleTime: 0 }),
    // The results are kept until there is a new plan.
    onSuccess: () => {
      if (last === undefined) return runs.clear();
      onAgain?.(last);
      runs.forget();
    },
  });
  if (runs.isRunning || runs.error || last) {
    return (
      <RunView
        runs={runs}
        isChecking={checking.isPending}
        error={checking.error ?? runs.error}
        onAgain={next && (() => checking.mutate(next))}
      />
    );
  }
  if (source === undefined) return children;
  if (plan.isPending) return <Loading />;
  return (
    <>
      {plan.isError && <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && (
        <PlanView key={plan.data.id} plan={plan.data} isBusy={plan.isFetching}>
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} aria-hidden />}
            loading={plan.isFetching}
            onClick={() => void plan.refetch()}
          >
            {t("readAgain")}
          </Button>
        </PlanView>
      )}
    </>
  );
}

const NOTHING: ImportSource = { kind: "folder", request: { workspace: "", folder: "", wabas: [] } };

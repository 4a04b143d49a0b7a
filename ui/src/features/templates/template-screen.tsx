import { Button, Tabs } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateDetail, TemplateVersion } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { Panel } from "@/components/panel";
import { SamplePhone } from "@/components/phone/sample-phone";
import { SplitView } from "@/components/split-view";
import { StatusBadge, useCategoryText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { useSenderName } from "@/lib/sender";
import { ArchivalNotice } from "./archival";
import { BackToTemplates } from "./back-to-templates";
import { History } from "./history/history";
import { Languages, languagesOf } from "./languages";
import { Missing } from "./missing";
import { Overview } from "./overview";
import { templatesQueries } from "./queries";
import { Rejection } from "./rejection";
import { CategoryNotice, ContradictionNotice, StatusNotice } from "./status-cause";
import { TemplateActions } from "./template-actions";
import classes from "./template-screen.module.css";
import { Versions } from "./versions";
import { AccountStates, WabaStatuses } from "./waba-statuses";
import { Waiting } from "./waiting";

const route = getRouteApi("/templates/$reference");
const TABS = ["overview", "versions", "history", "languages", "json"] as const;

export function TemplateScreen() {
  const { t } = useTranslation("templates");
  const { reference } = route.useParams();
  const workspace = useWorkspace();
  const detail = useQuery(templatesQueries.template(workspace.id, reference));
  if (detail.isPending) return <Loading />;
  if (detail.isError) {
    return (
      <>
        <PageHeader title={t("gone")} lead={<BackToTemplates />} />
        <ErrorNotice error={detail.error} onRetry={() => void detail.refetch()} />
        {detail.error.code === "notFound" && (
          <p className={classes.below}>
            <Link to="/templates/removed/$reference" params={{ reference }}>
              {t("removed.history", { ns: "history" })}
            </Link>
          </p>
        )}
      </>
    );
  }
  return <Detail key={reference} detail={detail.data} />;
}

function Detail({ detail }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const categoryText = useCategoryText();
  const languageName = useLanguageName();
  const navigate = useNavigate();
  const search = route.useSearch();
  const tab = TABS.find((name) => name === search.tab) ?? "overview";
  const { row } = detail;
  const sender = useSenderName(useWorkspace().id, row.wabas);
  const [target, setTarget] = useState<{ path: string }>();
  const [version, setVersion] = useState<TemplateVersion>();
  const show = (next: string | null) =>
    void navigate({
      to: "/templates/$reference",
      params: { reference: row.reference },
      search: next === null || next === "overview" ? {} : { tab: next },
      replace: true,
    });
  const jump = (path: string) => {
    show("overview");
    setTarget({ path });
  };
  return (
    <>
      <PageHeader
        lead={<BackToTemplates />}
        title={row.name}
        aside={
          <>
            <StatusBadge status={row.status} size="md" />
            {row.archived && row.status !== "ARCHIVED" && <StatusBadge status="ARCHIVED" size="md" />}
            <CopyButton text={row.name} label={t("detail.copyName")} />
          </>
        }
        detail={`${languageName(row.language)} · ${row.language} · ${categoryText(row.category)}`}
      >
        <TemplateActions detail={detail} />
      </PageHeader>
      <SplitView
        panel={
          <Panel label={t("title", { ns: "phone" })} className={classes.phone}>
            {version && (
              <p className={classes.shownVersion}>
                {t("versions.shown")} <Instant at={version.at} format="full" />
                <Button size="compact-xs" variant="default" onClick={() => setVersion(undefined)}>
                  {t("versions.showNow")}
                </Button>
              </p>
            )}
            <SamplePhone bubble={version?.bubble ?? detail.bubble} sender={sender} />
          </Panel>
        }
      >
        <div className={classes.main}>
          <Missing row={row} />
          <WabaStatuses statuses={detail.wabaStatuses} />
          <AccountStates accounts={detail.accounts} />
          <Rejection detail={detail} onJump={jump} />
          <Waiting detail={detail} />
          <ContradictionNotice detail={detail} />
          <StatusNotice detail={detail} />
          <ArchivalNotice detail={detail} />
          <CategoryNotice detail={detail} />
          <Tabs value={tab} onChange={show}>
            <Tabs.List className={classes.tabs}>
              <Tabs.Tab value="overview">{t("tab.overview")}</Tabs.Tab>
              <Tabs.Tab value="versions">{t("tab.versions")}</Tabs.Tab>
              <Tabs.Tab value="history">{t("tab.history")}</Tabs.Tab>
              <Tabs.Tab value="languages">{t("tab.languages", { count: languagesOf(detail).size })}</Tabs.Tab>
              <Tabs.Tab value="json">{t("tab.json")}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="overview">
              <Overview detail={detail} target={target} />
            </Tabs.Panel>
            <Tabs.Panel value="versions">
              <Versions detail={detail} shown={version} onShow={setVersion} />
            </Tabs.Panel>
            <Tabs.Panel value="history">
              <History reference={row.reference} />
            </Tabs.Panel>
            <Tabs.Panel value="languages">
              <Languages detail={detail} />
            </Tabs.Panel>
            <Tabs.Panel value="json" className={classes.json}>
              <JsonView text={detail.raw} label={t("tab.json")} />
            </Tabs.Panel>
          </Tabs>
        </div>
      </SplitView>
    </>
  );
}

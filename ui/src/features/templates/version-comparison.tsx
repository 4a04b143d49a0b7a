import { Select, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TemplateVersion, VersionOrigin } from "@/bindings/app";
import { ChangeList } from "@/components/change-list";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { SideBySide } from "@/components/side-by-side";
import { useStatusText } from "@/components/status-badge";
import { useWorkspace } from "@/lib/desk";
import { templatesQueries } from "./queries";
import classes from "./version-comparison.module.css";

const route = getRouteApi("/templates/$reference");

/** What the provider has now, among the versions. */
const CURRENT = "current";

interface VersionComparisonProps {
  reference: string;
  versions: TemplateVersion[];
}

/** Any two versions beside each other; the address says which. */
export function VersionComparison({ reference, versions }: VersionComparisonProps) {
  const { t } = useTranslation("history");
  const title = useVersionTitle();
  const navigate = useNavigate();
  const { compare, with: other = CURRENT } = route.useSearch();
  const choose = (sides: { compare?: string | undefined; with?: string | undefined }) => {
    const { compare: left = compare, with: right = other } = sides;
    void navigate({
      to: "/templates/$reference",
      params: { reference },
      search: { tab: "versions", ...(left ? { compare: left } : {}), ...(right === CURRENT ? {} : { with: right }) },
      replace: true,
    });
  };
  const data = [
    { value: CURRENT, label: t("compare.current") },
    ...versions.map((version) => ({ value: version.id, label: title(version) })),
  ];
  return (
    <Stack gap="0.875rem" p="1rem 1.25rem 0">
      <div className={classes.choice}>
        <Select
          size="xs"
          label={t("compare.left")}
          placeholder={t("compare.choose")}
          allowDeselect={false}
          value={compare ?? null}
          onChange={(value) => choose({ compare: value ?? undefined })}
          data={data}
        />
        <Select
          size="xs"
          label={t("compare.right")}
          allowDeselect={false}
          value={other}
          onChange={(value) => choose({ with: value ?? undefined })}
          data={data}
        />
      </div>
      {compare !== undefined && <Differences reference={reference} left={compare} right={other} />}
    </Stack>
  );
}

function Differences({ reference, left, right }: { reference: string; left: string; right: string }) {
  const { t } = useTranslation("history");
  const title = useVersionTitle();
  const workspace = useWorkspace();
  const comparison = useQuery(templatesQueries.versionComparison({ workspace: workspace.id, reference, left, right }));
  const titleOf = (id: string, version: TemplateVersion) => (id === CURRENT ? t("compare.current") : title(version));
  return (
    <section className={classes.differences} aria-label={t("compare.differences")} aria-busy={comparison.isFetching}>
      <h2>{t("compare.differences")}</h2>
      {comparison.isPending && <Loading rows={2} />}
      {comparison.isError && <ErrorNotice error={comparison.error} onRetry={() => void comparison.refetch()} />}
      {comparison.data && (
        <>
          <ChangeList changes={comparison.data.changes} />
          <SideBySide
            sides={[
              { title: titleOf(left, comparison.data.left), bubble: comparison.data.left.bubble },
              { title: titleOf(right, comparison.data.right), bubble: comparison.data.right.bubble },
            ]}
          />
        </>
      )}
    </section>
  );
}

/** How a version came about. */
export function useOriginText(): (origin: VersionOrigin) => string {
  const { t } = useTranslation(["templates", "history"]);
  return (origin) => (origin === CURRENT ? t("compare.current", { ns: "history" }) : t(`versions.origin.${origin}`));
}

/** A version in one line: how it came about, when, and what the review said. */
function useVersionTitle(): (version: TemplateVersion) => string {
  const { i18n } = useTranslation();
  const origin = useOriginText();
  const status = useStatusText();
  return (version) => {
    const at = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(version.at);
    return [origin(version.origin), at, version.outcome ? status(version.outcome) : ""].filter(Boolean).join(" · ");
  };
}

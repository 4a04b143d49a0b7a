import { Alert, Select } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Batch, BatchComparison } from "@/bindings/app";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { localTime } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PageHeader } from "@/components/page-header";
import { useWorkspace } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import { Back } from "../back";
import { sendsQueries } from "../queries";
import classes from "./comparison.module.css";
import { ComparisonTable } from "./comparison-table";
import { DividedHalves } from "./divided-halves";

const route = getRouteApi("/sends/batches/compare");

/** Two batches side by side, and what their difference does not prove. */
export function ComparisonScreen() {
  const { t } = useTranslation("batches");
  const workspace = useWorkspace();
  const { first, second } = route.useSearch();
  const navigate = route.useNavigate();
  const batches = useQuery(sendsQueries.batches(workspace.id));
  const isChosen = first !== undefined && second !== undefined;
  const found = useQuery({
    ...sendsQueries.comparison(workspace.id, first ?? "", second ?? ""),
    enabled: isChosen,
  });
  const isSent = ({ state, id }: Batch) => state !== "planned" || id === first || id === second;
  const sent = batches.data?.filter(isSent) ?? [];
  const choose = (side: "first" | "second", batch: string | null) =>
    void navigate({ search: { first, second, [side]: batch ?? undefined }, replace: true });
  return (
    <>
      <PageHeader lead={<Back to="/sends/batches" />} title={t("compare.title")} />
      {batches.error && <ErrorNotice error={batches.error} onRetry={() => void batches.refetch()} />}
      <div className={classes.pair}>
        <BatchSelect side="first" value={first} other={second} batches={sent} onChoose={choose} />
        <BatchSelect side="second" value={second} other={first} batches={sent} onChoose={choose} />
      </div>
      {!isChosen && <Empty Icon={IconInfoCircle} title={t("compare.chooseTwo")} text={t("compare.pick")} />}
      {found.error && <ErrorNotice error={found.error} onRetry={() => void found.refetch()} />}
      {isChosen && found.isPending && <Loading />}
      {isChosen && found.data && <Result comparison={found.data} />}
    </>
  );
}

interface BatchSelectProps {
  side: "first" | "second";
  value: string | undefined;
  /** The batch of the other side, which cannot be chosen again. */
  other: string | undefined;
  batches: readonly Batch[];
  onChoose: (side: "first" | "second", batch: string | null) => void;
}

function BatchSelect({ side, value, other, batches, onChoose }: BatchSelectProps) {
  const { t, i18n } = useTranslation("batches");
  const languageName = useLanguageName();
  return (
    <Select
      label={t(`compare.${side}`)}
      placeholder={t("compare.choose")}
      searchable
      value={value ?? null}
      onChange={(batch) => onChoose(side, batch)}
      data={batches
        .filter(({ id }) => id !== other)
        .map((batch) => ({
          value: batch.id,
          label: `${batch.templateName} · ${languageName(batch.language)} · ${localTime(batch.startedAt ?? batch.createdAt, i18n.language)}`,
        }))}
    />
  );
}

function Result({ comparison }: { comparison: BatchComparison }) {
  const { t, i18n } = useTranslation("batches");
  const { first, second, limits, sharedPeople, minMessages } = comparison;
  if (first.sent === 0 && second.sent === 0) {
    return (
      <div className={classes.comparison}>
        <DividedHalves comparison={comparison} />
        <p className={classes.text}>{t("compare.nothingYet")}</p>
      </div>
    );
  }
  return (
    <div className={classes.comparison}>
      <DividedHalves comparison={comparison} />
      <ComparisonTable comparison={comparison} />
      <p className={classes.text}>{t("compare.receipts")}</p>
      <p className={classes.text}>{t("compare.clicksHint")}</p>
      {limits.length > 0 && (
        <Alert
          role="note"
          color="yellow"
          variant="light"
          icon={<IconInfoCircle size={18} aria-hidden />}
          title={t("compare.limits")}
        >
          <ul className={classes.limits}>
            {limits.map((limit) => (
              <li key={limit}>
                {limit === "samePeople"
                  ? t("compare.samePeople", { count: sharedPeople })
                  : t(`compare.limit.${limit}`)}
              </li>
            ))}
          </ul>
        </Alert>
      )}
      <p className={classes.text}>
        {t("compare.method", { min: new Intl.NumberFormat(i18n.language).format(minMessages) })}
      </p>
    </div>
  );
}

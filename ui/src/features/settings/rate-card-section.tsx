import { Alert, Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconDownload, IconTrash, IconUpload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RateCardImport, WorkspaceRateCard } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { showFailure } from "@/components/show-failure";
import { showSavedFile } from "@/components/show-saved-file";
import styles from "@/components/styles.module.css";
import { utcDate } from "@/lib/days";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { PriceList } from "./price-list";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

/** The prices of the workspace in use. */
export function RateCardSection() {
  const { id } = useWorkspace();
  return (
    <SettingsPage>
      <RateCard key={id} />
    </SettingsPage>
  );
}

function RateCard() {
  const { t } = useTranslation("costs");
  const { id: workspace, name } = useWorkspace();
  const [report, setReport] = useState<RateCardImport>();
  const query = useQuery(settingsQueries.rateCard(workspace));
  const importing = useCommand("import_rate_card");
  const saving = useCommand("export_sample_rate_card");
  const removing = useCommand("remove_rate_card");
  const onImport = () =>
    importing.mutate({ workspace }, { onError: showFailure, onSuccess: (read) => read && setReport(read) });
  const onSample = () =>
    saving.mutate(
      {},
      { onError: showFailure, onSuccess: (saved) => saved && showSavedFile(t("card.sampleSaved"), saved.path) },
    );
  const onRemove = () =>
    modals.openConfirmModal({
      title: t("card.removeQuestion"),
      children: t("card.removeText"),
      labels: { confirm: t("card.remove"), cancel: t("cancel", { ns: "common" }) },
      confirmProps: { color: "red" },
      onConfirm: () => removing.mutate({ workspace }, { onError: showFailure, onSuccess: () => setReport(undefined) }),
    });
  return (
    <Card title={`${t("card.title")} · ${name}`} text={t("card.text")}>
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconUpload size={15} aria-hidden />}
          loading={importing.isPending}
          onClick={onImport}
        >
          {t("card.import")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={saving.isPending}
          onClick={onSample}
        >
          {t("card.saveSample")}
        </Button>
        {(query.data || query.error) && (
          <Button
            variant="default"
            leftSection={<IconTrash size={15} aria-hidden />}
            loading={removing.isPending}
            onClick={onRemove}
          >
            {t("card.remove")}
          </Button>
        )}
      </div>
      {report && <ImportReport report={report} onClose={() => setReport(undefined)} />}
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading rows={2} />}
      {query.data === null && <p className={styles.muted}>{t("card.none")}</p>}
      {query.data && <Summary card={query.data} />}
    </Card>
  );
}

function Summary({ card: { name, importedAt, summary, prices } }: { card: WorkspaceRateCard }) {
  const { t, i18n } = useTranslation("costs");
  const { currency, rates, markets, validFrom, unknownMarkets, isSample } = summary;
  return (
    <>
      {isSample && (
        <Alert color="orange" variant="light" p="xs">
          {t("sample")}
        </Alert>
      )}
      <Facts label={t("card.title")}>
        <dt>{t("card.file")}</dt>
        <dd dir="auto">{name}</dd>
        <dt>{t("card.imported")}</dt>
        <dd>
          <Instant at={importedAt} format="full" />
        </dd>
        <dt>{t("card.currency")}</dt>
        <dd>{currency}</dd>
        <dt>{t("card.prices")}</dt>
        <dd>
          {t("card.counts", {
            rates: t("card.rates", { count: rates }),
            markets: t("card.markets", { count: markets }),
          })}
        </dd>
        <dt>{t("card.validFrom")}</dt>
        <dd>{validFrom.map((day) => utcDate(day, i18n.language)).join(" · ")}</dd>
      </Facts>
      {unknownMarkets.length > 0 && (
        <Alert color="orange" variant="light" p="xs">
          <p>{t("card.unknownMarkets", { markets: unknownMarkets.join(", "), nest: false })}</p>
          <p>{t("card.unknownMarketsText")}</p>
        </Alert>
      )}
      <PriceList prices={prices} currency={currency} />
    </>
  );
}

/** What a file came to: all its prices, or none, with each fault. */
function ImportReport({ report, onClose }: { report: RateCardImport; onClose: () => void }) {
  const { t } = useTranslation("costs");
  const { name, rates, kept, faults, faulty } = report;
  const isImported = faulty === 0;
  return (
    <Alert
      color={isImported ? "teal" : "red"}
      role={isImported ? "status" : "alert"}
      title={
        isImported ? t("card.done", { count: rates, name, nest: false }) : t("card.notImported", { name, nest: false })
      }
      withCloseButton
      closeButtonLabel={t("close", { ns: "common" })}
      onClose={onClose}
    >
      {isImported ? (
        // Nothing at all, so that the notice has no empty line.
        kept > 0 ? (
          t("card.kept", { count: kept })
        ) : null
      ) : (
        <>
          <p>{t("card.correct")}</p>
          <ul aria-label={t("card.faults")}>
            {faults.map(({ line, code, value }) => (
              <li key={`${line} ${value}`}>
                {line > 0 && t(value === "" ? "card.line" : "card.lineWith", { line, value, nest: false })}{" "}
                {t(`card.fault.${code}`)}
              </li>
            ))}
          </ul>
          {faulty > faults.length && <p>{t("card.more", { count: faulty - faults.length })}</p>}
        </>
      )}
    </Alert>
  );
}

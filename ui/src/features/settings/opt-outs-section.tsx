import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconDownload, IconPlus, IconUpload } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OptOut, OptOutImport } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { PhoneNumber } from "@/components/phone-number";
import { SearchField } from "@/components/search-field";
import { showFailure } from "@/components/show-failure";
import { showSavedFile } from "@/components/show-saved-file";
import styles from "@/components/styles.module.css";
import { showUndo } from "@/components/undo-toast";
import { useAllowMarketing } from "@/components/use-allow-marketing";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { OptOutForm } from "./opt-out-form";
import { OptOutImportReport } from "./opt-out-import-report";
import { OptOutWordsCard } from "./opt-out-words-card";
import { settingsQueries } from "./queries";
import classes from "./settings.module.css";
import { SettingsPage } from "./settings-page";

/** So many rows are shown at first, and so many more at a click. */
const PAGE = 25;

/** Who gets no marketing templates from the workspace in use, and which words make it so. */
export function OptOutsSection() {
  const { id } = useWorkspace();
  return (
    <SettingsPage>
      <People key={id} />
      <OptOutWordsCard key={`${id} words`} />
    </SettingsPage>
  );
}

function People() {
  const { t } = useTranslation("settings");
  const workspace = useWorkspace();
  const [search, setSearch] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const [report, setReport] = useState<OptOutImport>();
  const query = useQuery({
    ...settingsQueries.optOuts(workspace.id, search, limit),
    placeholderData: keepPreviousData,
  });
  const list = query.data;
  const importing = useCommand("import_opt_outs");
  const storing = useCommand("store_opt_outs");
  const undoing = useCommand("undo_opt_out_import");
  const exporting = useCommand("export_opt_outs");
  const onImport = () =>
    importing.mutate(
      { workspace: workspace.id },
      {
        // What an earlier file came to is no answer to this one.
        onError: (error) => {
          setReport(undefined);
          showFailure(error);
        },
        onSuccess: (read) => read && (read.id ? ask(read, read.id) : setReport(read)),
      },
    );
  const store = (id: string) =>
    storing.mutate(
      { workspace: workspace.id, id },
      {
        onError: showFailure,
        onSuccess: (stored) => {
          setReport(stored);
          showUndo({
            message: t("optOuts.outcome.added", { count: stored.added }),
            undo: () =>
              undoing.mutate(
                { workspace: workspace.id, id },
                { onError: showFailure, onSuccess: () => setReport((shown) => (shown?.id === id ? undefined : shown)) },
              ),
          });
        },
      },
    );
  // Nobody is stopped before the person knows how many it concerns.
  const ask = ({ name, added, known, notAdded }: OptOutImport, id: string) => {
    setReport(undefined);
    modals.openConfirmModal({
      title: t("optOuts.confirm.title", { count: added, name, nest: false }),
      children: (
        <>
          <p>{t("optOuts.confirm.text")}</p>
          {known > 0 && <p>{t("optOuts.confirm.known", { count: known })}</p>}
          {notAdded.length > 0 && <p>{t("optOuts.confirm.notAdded", { count: notAdded.length })}</p>}
        </>
      ),
      labels: { confirm: t("optOuts.confirm.go"), cancel: t("cancel", { ns: "common" }) },
      onConfirm: () => store(id),
    });
  };
  const onExport = () =>
    exporting.mutate(
      { workspace: workspace.id },
      {
        onError: showFailure,
        onSuccess: (saved) => saved && showSavedFile(t("optOuts.exported", { count: saved.rows }), saved.path),
      },
    );
  const onAdd = () =>
    modals.open({
      title: t("optOuts.add"),
      closeOnClickOutside: false,
      children: <OptOutForm workspace={workspace.id} />,
    });
  return (
    <Card title={`${t("optOuts.title")} · ${workspace.name}`} text={t("optOuts.text")}>
      <div className={classes.buttons}>
        <Button variant="default" leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
          {t("optOuts.add")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconUpload size={15} aria-hidden />}
          loading={importing.isPending || storing.isPending}
          onClick={onImport}
        >
          {t("optOuts.import")}
        </Button>
        <Button
          variant="default"
          leftSection={<IconDownload size={15} aria-hidden />}
          loading={exporting.isPending}
          disabled={list?.total === 0}
          onClick={onExport}
        >
          {t("optOuts.export")}
        </Button>
      </div>
      {report && <OptOutImportReport workspace={workspace.id} report={report} onClose={() => setReport(undefined)} />}
      {query.error && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Loading rows={3} />}
      {list && list.total === 0 && <p className={styles.muted}>{t("optOuts.empty")}</p>}
      {list && list.total > 0 && (
        <>
          <SearchField
            value={search}
            onChange={(words) => {
              setSearch(words);
              setLimit(PAGE);
            }}
            label={t("optOuts.search")}
            clearLabel={t("optOuts.clear")}
          />
          <p className={styles.muted} role="status">
            {t("optOuts.count", { count: list.found })}
          </p>
          <ul className={classes.rows} aria-label={t("optOuts.title")}>
            {list.rows.map((row) => (
              <Row key={`${row.person} ${row.waba} ${row.number}`} workspace={workspace.id} row={row} />
            ))}
          </ul>
          {list.rows.length < list.found && (
            <div className={classes.buttons}>
              <Button size="compact-sm" variant="default" onClick={() => setLimit(limit + PAGE)}>
                {t("optOuts.more")}
              </Button>
            </div>
          )}
        </>
      )}
    </Card>
  );
}

function Row({ workspace, row }: { workspace: string; row: OptOut }) {
  const { t } = useTranslation("settings");
  const { allow, isPending } = useAllowMarketing(workspace);
  const { person, formatted, name, stop, number, waba } = row;
  const accounts = stop.accounts
    ? t("optOuts.only", { accounts: stop.accounts, nest: false })
    : t("optOuts.everywhere");
  return (
    <li className={classes.person}>
      <div>
        <strong>
          <bdi>{name ?? formatted}</bdi>
        </strong>
        {name && (
          <>
            {" "}
            <PhoneNumber className={styles.muted}>{formatted}</PhoneNumber>
          </>
        )}
        <p className={styles.muted}>
          {stop.file ? t("optOuts.fromFile", { file: stop.file, nest: false }) : t(`optOuts.how.${stop.source}`)} ·{" "}
          <Instant at={stop.since} format="brief" /> · {accounts}
        </p>
      </div>
      {stop.source === "preference" ? (
        <span className={styles.small}>{t("optOuts.theirs")}</span>
      ) : (
        <div className={classes.buttons}>
          <Button
            size="compact-sm"
            variant="default"
            aria-label={t("optOuts.allowNamed", { name: name ?? formatted, nest: false })}
            loading={isPending}
            onClick={() => allow({ contact: person, number, waba, name: name ?? formatted, stop })}
          >
            {t("optOuts.allow")}
          </Button>
        </div>
      )}
    </li>
  );
}

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { StorageState } from "@/bindings/app";
import { Card } from "@/components/card";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { ProjectionBar } from "@/components/projection-bar";
import { byteSize } from "@/lib/bytes";
import { settingsQueries } from "../queries";
import classes from "../settings.module.css";
import { SettingsPage } from "../settings-page";
import { BackupCard } from "./backup-card";
import { CheckCard } from "./check-card";
import { RetentionCard } from "./retention-card";
import { SetAsideCard } from "./set-aside-card";

/** The files of this desk: how large they are, how long deliveries are kept, backups and checks. */
export function StorageSection() {
  const storage = useQuery(settingsQueries.storage());
  const { data: state } = storage;
  return (
    <>
      <ProjectionBar />
      <SettingsPage>
        {storage.error && <ErrorNotice error={storage.error} onRetry={() => void storage.refetch()} />}
        {storage.isPending && <Loading />}
        {state && (
          <>
            <Files state={state} />
            <RetentionCard policy={state.retention} />
            <BackupCard state={state} />
            <CheckCard state={state} />
            <SetAsideCard files={state.setAside} />
          </>
        )}
      </SettingsPage>
    </>
  );
}

function Files({ state: { folder, files, deliveryLog } }: { state: StorageState }) {
  const { t, i18n } = useTranslation("storage");
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const known = (name: string) => i18n.exists(`file.${name.replace(/\.sqlite$/, "")}`, { ns: "storage" });
  return (
    <Card title={t("files.title")}>
      <Facts>
        <dt>{t("files.folder")}</dt>
        <dd>
          <code>{folder}</code>
          <CopyButton text={folder} label={t("files.copyFolder")} />
        </dd>
        <dt>{t("files.inbox")}</dt>
        <dd>
          {deliveryLog.deliveries === 0
            ? t("files.empty")
            : t("files.deliveries", {
                count: deliveryLog.deliveries,
                number: new Intl.NumberFormat(i18n.language).format(deliveryLog.deliveries),
              })}
        </dd>
        {deliveryLog.firstAt != null && deliveryLog.lastAt != null && (
          <>
            <dt>{t("files.range")}</dt>
            <dd>
              <span>
                <Instant at={deliveryLog.firstAt} format="full" /> – <Instant at={deliveryLog.lastAt} format="full" />
              </span>
            </dd>
          </>
        )}
      </Facts>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("files.file")}</th>
            <th scope="col">{t("files.holds")}</th>
            <th scope="col" data-number>
              {t("files.size")}
            </th>
          </tr>
        </thead>
        <tbody>
          {files.map(({ name, bytes }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>{known(name) ? t(`file.${name.replace(/\.sqlite$/, "")}` as "file.inbox") : ""}</td>
              <td data-number>{byteSize(bytes, i18n.language)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              {t("files.total")}
            </th>
            <td data-number>{byteSize(total, i18n.language)}</td>
          </tr>
        </tfoot>
      </table>
    </Card>
  );
}

import { Button, Loader } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleDashed, IconStethoscope } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { CheckState, StorageState } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "../settings.module.css";

/** How the app ended last, and whether its files are whole. */
export function CheckCard({ state: { lastStop, check } }: { state: StorageState }) {
  const { t } = useTranslation("storage");
  const run = useCommand("check_files");
  const running = check.state === "running";
  return (
    <Card title={t("check.title")} text={t("check.text")}>
      <Facts>
        <dt>{t("check.lastStop")}</dt>
        <dd>{t(`check.stop.${lastStop}`)}</dd>
        <dt>{t("check.state")}</dt>
        <dd>
          <CheckIcon state={check.state} />
          <span role="status">
            {t(`check.is.${check.state}`)}
            {check.at != null && (
              <>
                {" "}
                <Instant at={check.at} format="full" />
              </>
            )}
          </span>
        </dd>
      </Facts>
      {check.findings.length > 0 && (
        <section className={classes.preview} aria-label={t("check.findings")}>
          <ul className={classes.points}>
            {check.findings.map((finding) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
          <p>{t("check.damagedTodo")}</p>
        </section>
      )}
      {run.error && <ErrorNotice error={run.error} />}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconStethoscope size={15} aria-hidden />}
          loading={run.isPending}
          disabled={running}
          onClick={() => run.mutate({})}
        >
          {t("check.run")}
        </Button>
      </div>
    </Card>
  );
}

function CheckIcon({ state }: { state: CheckState }) {
  if (state === "running") return <Loader size={15} aria-hidden />;
  if (state === "ok") return <IconCircleCheck size={18} className={classes.good} aria-hidden />;
  if (state === "damaged") return <IconAlertTriangle size={18} className={classes.bad} aria-hidden />;
  return <IconCircleDashed size={18} aria-hidden />;
}

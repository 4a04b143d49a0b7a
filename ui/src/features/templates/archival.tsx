import { Alert, Button, Group } from "@mantine/core";
import { IconFolderDown, IconHourglassLow, IconSend } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { useExportTemplates } from "@/components/export-templates";
import { Instant } from "@/components/instant";
import { isAtRisk } from "@/lib/archival";
import { useBootstrap } from "@/lib/desk";
import classes from "./template-screen.module.css";

/** Of a template that the channel will soon archive or delete: when, by which rule, and how to keep it. */
export function ArchivalNotice({ detail }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const { channelDays } = useBootstrap();
  const { run: write, isPending } = useExportTemplates();
  const { row, riskUntil } = detail;
  const { archival } = row;
  if (archival == null || !isAtRisk(row, riskUntil)) return null;
  const isComing = archival.kind === "coming";
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      icon={<IconHourglassLow size={20} stroke={1.7} />}
      title={t(isComing ? "archival.title.coming" : "archival.title.archived")}
    >
      <dl className={classes.facts}>
        <ArchivalFacts detail={detail} />
      </dl>
      {isComing && archival.archivedAt != null && archival.archivedAt <= Date.now() && <p>{t("archival.past")}</p>}
      {isComing && <p>{t("archival.elsewhere")}</p>}
      <p>{t("archival.rule", { months: channelDays.unusedMonths, days: channelDays.archived })}</p>
      <Group gap="xs" mt="xs">
        {isComing && detail.sendable && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconSend size={14} aria-hidden />}
            renderRoot={(props) => <Link to="/sends/new" search={{ reference: row.reference }} {...props} />}
          >
            {t("archival.keep")}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          loading={isPending}
          leftSection={<IconFolderDown size={14} aria-hidden />}
          onClick={() => write({ kind: "references", references: [row.reference] })}
        >
          {t("archival.export")}
        </Button>
      </Group>
    </Alert>
  );
}

/** The last use that is known here, and what the channel will do. */
export function ArchivalFacts({ detail: { row } }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const { archival } = row;
  if (archival == null) return null;
  const { kind, lastActivity, archivedAt, deletedAt } = archival;
  const isArchived = kind === "archived";
  return (
    <>
      <Fact label={t("archival.lastUse")}>
        {lastActivity == null ? t("archival.noUse") : <Instant at={lastActivity} format="full" />}
      </Fact>
      <Fact label={t(isArchived ? "archival.archivedSince" : "archival.archivedOn")}>
        {archivedAt != null ? (
          <Instant at={archivedAt} format="full" />
        ) : (
          t(`archival.${kind === "unknownStatus" ? "unknownStatus" : isArchived ? "unknownArchived" : "unknownUse"}`)
        )}
      </Fact>
      {deletedAt != null && (
        <Fact label={t("archival.deletedOn")}>
          <Instant at={deletedAt} format="full" />
        </Fact>
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

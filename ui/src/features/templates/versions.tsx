import { Button } from "@mantine/core";
import { IconDeviceMobile, IconRestore, IconVersions } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { TemplateDetail, TemplateVersion } from "@/bindings/app";
import { ChangeList } from "@/components/change-list";
import { Empty } from "@/components/empty";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { Loading } from "@/components/loading";
import { useReasonTitle } from "@/components/rejection-reason";
import { StatusBadge } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useCreateDraft } from "@/lib/create-draft";
import { useWorkspace } from "@/lib/desk";
import { templatesQueries } from "./queries";
import classes from "./template-screen.module.css";
import { useOriginText, VersionComparison } from "./version-comparison";

interface VersionsProps {
  detail: TemplateDetail;
  /** The version on the phone; the present one where there is none. */
  shown: TemplateVersion | undefined;
  onShow: (version: TemplateVersion | undefined) => void;
}

/** The chain of attempts, newest first: what each said, what the review said to it, and what changed. */
export function Versions({ detail, shown, onShow }: VersionsProps) {
  const { t } = useTranslation("templates");
  const workspace = useWorkspace();
  const versions = useQuery(templatesQueries.versions(workspace.id, detail.row.reference));
  if (versions.isPending) return <Loading />;
  if (versions.isError) return <ErrorNotice error={versions.error} onRetry={() => void versions.refetch()} />;
  if (versions.data.length === 0) {
    return <Empty Icon={IconVersions} title={t("versions.none")} text={t("versions.noneText")} />;
  }
  const oldest = versions.data.length - 1;
  return (
    <>
      <VersionComparison reference={detail.row.reference} versions={versions.data} />
      <ol className={classes.versions} aria-label={t("versions.label")}>
        {versions.data.map((version, index) => (
          <li key={version.id}>
            <Version
              version={version}
              detail={detail}
              isFirst={index === oldest}
              isShown={shown?.id === version.id}
              onShow={onShow}
            />
          </li>
        ))}
      </ol>
    </>
  );
}

interface VersionProps extends Omit<VersionsProps, "shown"> {
  version: TemplateVersion;
  isFirst: boolean;
  isShown: boolean;
}

function Version({ version, detail, isFirst, isShown, onShow }: VersionProps) {
  const { t, i18n } = useTranslation("templates");
  const origin = useOriginText();
  const { begin, isPending, error } = useCreateDraft();
  const { at, outcome, changes } = version;
  const originText = origin(version.origin);
  const time = new Intl.DateTimeFormat(i18n.language, { dateStyle: "medium", timeStyle: "short" }).format(at);
  const use = () => begin({ fromTemplate: detail.row.reference, fromVersion: version.id, edit: detail.editable });
  return (
    <article className={classes.version} aria-label={`${originText} ${time}`}>
      <header>
        <strong>{originText}</strong>
        <span className={styles.small}>
          <Instant at={at} format="full" />
        </span>
        {outcome ? <StatusBadge status={outcome} /> : <span className={styles.small}>{t("versions.pending")}</span>}
        <span className={classes.versionActions}>
          <Button
            size="compact-xs"
            variant={isShown ? "light" : "subtle"}
            color="gray"
            leftSection={<IconDeviceMobile size={14} />}
            aria-pressed={isShown}
            onClick={() => onShow(isShown ? undefined : version)}
          >
            {t("versions.show")}
          </Button>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconRestore size={14} />}
            loading={isPending}
            aria-label={`${t("versions.use")}: ${time}`}
            onClick={use}
          >
            {t("versions.use")}
          </Button>
        </span>
      </header>
      {error && <ErrorNotice error={error} />}
      <Verdict version={version} />
      {isFirst ? (
        <p className={classes.text} data-quiet>
          {t("versions.first")}
        </p>
      ) : (
        <ChangeList changes={changes} />
      )}
    </article>
  );
}

function Verdict({ version: { reason, advice } }: { version: TemplateVersion }) {
  const { t } = useTranslation("templates");
  const reasonTitle = useReasonTitle();
  if (!reason && !advice) return null;
  return (
    <div className={classes.verdict}>
      {reason && (
        <p>
          <strong>{reasonTitle(reason)}</strong> <span className={classes.kind}>{reason}</span>
        </p>
      )}
      {advice && (
        <p dir="auto">
          <span className={styles.small}>{t("versions.advice")}:</span> {advice}
        </p>
      )}
    </div>
  );
}

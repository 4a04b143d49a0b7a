import { Alert, Button } from "@mantine/core";
import { IconCircleX, IconTool } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import type { Finding } from "@/bindings/model";
import { SeverityIcon, useFindingText } from "@/components/findings";
import { RejectionReason, useReasonTitle } from "@/components/rejection-reason";
import { parsePath, usePathText } from "@/components/template-path";
import { isVerdict, withoutExplainedVerdicts } from "@/components/verdicts";
import { useBeginDraft } from "./template-actions";
import classes from "./template-screen.module.css";

interface RejectionProps {
  detail: TemplateDetail;
  /** Goes to the component at a pointer. */
  onJump: (path: string) => void;
}

/** Why the channel refused the template: what the reason means, its own words, where it is, and the way on. */
export function Rejection({ detail, onJump }: RejectionProps) {
  const { t } = useTranslation("templates");
  const begin = useBeginDraft(detail);
  const reasonTitle = useReasonTitle();
  const { row, rejectionAdvice, guidance } = detail;
  if (row.status !== "REJECTED") return null;
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconCircleX size={20} stroke={1.7} />}
      title={`${t("rejected.title")}: ${reasonTitle(row.rejectedReason)}`}
    >
      <RejectionReason reason={row.rejectedReason} advice={rejectionAdvice} />
      <Guidance detail={detail} findings={guidance} onJump={onJump} />
      {detail.editable && (
        <Button mt="xs" leftSection={<IconTool size={15} aria-hidden />} onClick={() => begin(true)}>
          {t("rejected.fix")}
        </Button>
      )}
    </Alert>
  );
}

function Guidance({ detail, findings, onJump }: RejectionProps & { findings: Finding[] }) {
  const { t } = useTranslation("templates");
  const findingText = useFindingText();
  const pathText = usePathText();
  // The rejection's text is above; the finding adds the path, unless a rule explains it there.
  const entries = withoutExplainedVerdicts(findings).filter((finding) => !isVerdict(finding) || finding.path !== "");
  if (entries.length === 0) return null;
  return (
    <div className={classes.about}>
      <strong>{t("rejected.guidance")}</strong>
      <ul className={classes.guidance} aria-label={t("rejected.guidance")}>
        {entries.map((finding, index) => {
          const where = pathText(parsePath(finding.path, detail.template));
          return (
            <li key={index}>
              <SeverityIcon severity={finding.severity} />
              <span>
                {where !== "" &&
                  (finding.path.startsWith("/components/") ? (
                    <button
                      type="button"
                      className={classes.jump}
                      aria-label={t("place.jump", { place: where })}
                      onClick={() => onJump(finding.path)}
                    >
                      {where}
                    </button>
                  ) : (
                    <strong>{where}</strong>
                  ))}{" "}
                {isVerdict(finding) ? t("rejected.here") : findingText(finding)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

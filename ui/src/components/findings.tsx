import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconAlertTriangle,
  IconBulb,
  IconCircleX,
  IconExternalLink,
  IconWand,
  type TablerIcon,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Finding, Severity } from "@/bindings/model";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./findings.module.css";

const ICONS: Record<Severity, TablerIcon> = { error: IconCircleX, warning: IconAlertTriangle, hint: IconBulb };
const ORDER: Record<Severity, number> = { error: 0, warning: 1, hint: 2 };

/**
 * The sentence of a finding in the language of the window. English comes from the rule itself and is also used for rules
 * that are newer than the translations.
 */
export function useFindingText(): (finding: Finding) => string {
  const { t, i18n } = useTranslation("findings");
  return ({ code, values, message }) => {
    const key = `rules.${code}`;
    if (!i18n.exists(key, { ns: "findings" })) return message;
    // Braces around a name would be taken for a value of the sentence itself.
    const braced = Object.entries(values).map(([name, value]) => [`braced_${name}`, `{{${value}}}`]);
    // What was typed may look like a reference to another text; it is not one.
    return t(key as "openSource", { ...values, ...Object.fromEntries(braced), nest: false });
  };
}

/** Severity by colour, icon and word. */
export function SeverityIcon({ severity }: { severity: Severity }) {
  const { t } = useTranslation();
  const Icon = ICONS[severity];
  return (
    <Icon
      size={16}
      stroke={1.8}
      role="img"
      aria-label={t(`severity.${severity}`)}
      className={classes.icon}
      data-severity={severity}
    />
  );
}

interface FindingListProps {
  findings: readonly Finding[];
  /** Accessible name. */
  label: string;
  /** Goes to the field a finding is about. */
  onJump?: ((finding: Finding) => void) | undefined;
  /** Corrects what a finding is about; offered where its rule can. */
  onFix?: ((finding: Finding) => void) | undefined;
  /** Whether they are numbered, as they are at their fields. */
  numbered?: boolean;
}

/** Errors before warnings before hints, else in their order. */
export function heaviestFirst(findings: readonly Finding[]): Finding[] {
  return [...findings].sort((a, b) => ORDER[a.severity] - ORDER[b.severity]);
}

/** Findings with the heaviest first. */
export function FindingList({ findings, label, onJump, onFix, numbered = false }: FindingListProps) {
  const { t } = useTranslation("findings");
  const sorted = heaviestFirst(findings);
  return (
    <ul className={classes.list} aria-label={label}>
      {sorted.map((finding, index) => (
        <li key={index} className={classes.finding}>
          {onJump ? (
            <button type="button" className={classes.jump} onClick={() => onJump(finding)}>
              <FindingText finding={finding} number={numbered ? index + 1 : undefined} />
            </button>
          ) : (
            <span className={classes.jump}>
              <FindingText finding={finding} number={numbered ? index + 1 : undefined} />
            </span>
          )}
          {onFix && finding.fixable && (
            <Button
              size="compact-xs"
              variant="light"
              className={classes.fix}
              leftSection={<IconWand size={13} aria-hidden />}
              aria-label={numbered ? t("fixNumber", { number: index + 1 }) : undefined}
              onClick={() => onFix(finding)}
            >
              {t("fix")}
            </Button>
          )}
          {isAddress(finding.source) && <SourceLink source={finding.source} />}
        </li>
      ))}
    </ul>
  );
}

function FindingText({ finding, number }: { finding: Finding; number: number | undefined }) {
  const text = useFindingText();
  return (
    <>
      {number !== undefined && <span className={classes.number}>{number}</span>}
      <SeverityIcon severity={finding.severity} />
      <span>
        {text(finding)}
        {!isAddress(finding.source) && <span className={classes.source}>{finding.source}</span>}
      </span>
    </>
  );
}

const isAddress = (source: string) => source.startsWith("https://");

/** Leads to the page where the rule is stated. */
function SourceLink({ source }: { source: string }) {
  const { t } = useTranslation("findings");
  const openLink = useCommand("open_link");
  return (
    <Tooltip label={source}>
      <ActionIcon size="xs" onClick={() => openLink.mutate({ url: source })} aria-label={t("openSource")}>
        <IconExternalLink size={14} />
      </ActionIcon>
    </Tooltip>
  );
}

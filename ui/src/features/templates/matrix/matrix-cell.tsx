import { Badge, Popover, UnstyledButton } from "@mantine/core";
import { IconAlertTriangle, IconPlus } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { MatrixCell, MatrixRow, TemplateRow } from "@/bindings/app";
import type { LanguageDifference } from "@/bindings/model";
import { showFailure } from "@/components/show-failure";
import { StatusBadge, useStatusText } from "@/components/status-badge";
import { parsePath, usePathText } from "@/components/template-path";
import { useCreateDraft } from "@/lib/create-draft";
import { useWorkspace } from "@/lib/desk";
import { useWabaName } from "@/lib/waba-names";
import { useDraftOf } from "../use-draft-of";
import classes from "./matrix.module.css";

/** The status of one language of a name, and whether it differs from the others. */
export function FilledCell({ name, cell }: { name: string; cell: MatrixCell }) {
  const { t } = useTranslation("matrix");
  const statusText = useStatusText();
  const { language, templates, differences } = cell;
  const [shown] = templates;
  if (!shown) return null;
  const status = statusOf(shown);
  return (
    <>
      <Link
        to="/templates/$reference"
        params={{ reference: shown.reference }}
        aria-label={`${name} ${language}: ${statusText(status)}`}
        tabIndex={-1}
        data-opens
        className={classes.open}
      >
        <StatusBadge status={status} size="xs" />
      </Link>
      {(differences.length > 0 || templates.length > 1) && (
        <Popover position="bottom" shadow="md" width={360} withArrow trapFocus returnFocus>
          <Popover.Target>
            <UnstyledButton
              tabIndex={-1}
              data-tells
              data-differs={differences.length > 0 || undefined}
              className={classes.tells}
              aria-label={t(differences.length > 0 ? "differs" : "several", {
                name,
                language,
                count: differences.length > 0 ? differences.length : templates.length,
              })}
            >
              {differences.length > 0 ? <IconAlertTriangle size={14} aria-hidden /> : `×${templates.length}`}
            </UnstyledButton>
          </Popover.Target>
          <Popover.Dropdown>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: many differences scroll, and must do so by keyboard */}
            <div className={classes.popover} role="group" tabIndex={0} aria-label={`${name} ${language}`}>
              {templates.length > 1 && <Several templates={templates} />}
              {differences.length > 0 && <Differences differences={differences} />}
            </div>
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}

/** One language in several WABAs. */
function Several({ templates }: { templates: readonly TemplateRow[] }) {
  const { t } = useTranslation("matrix");
  const name = useWabaName(useWorkspace().id);
  return (
    <>
      <p>{t("inWabas", { count: templates.length })}</p>
      <ul>
        {templates.map((template) => (
          <li key={template.reference}>
            <Link to="/templates/$reference" params={{ reference: template.reference }}>
              {template.wabas.map(name).join(", ") || template.reference}
            </Link>{" "}
            <StatusBadge status={statusOf(template)} size="xs" />
          </li>
        ))}
      </ul>
    </>
  );
}

/** What does not match the language that the others are compared with. */
function Differences({ differences }: { differences: readonly LanguageDifference[] }) {
  const { t, i18n } = useTranslation("matrix");
  const pathText = usePathText();
  const kindText = (kind: string) =>
    i18n.exists(`kind.${kind}`, { ns: "matrix" }) ? t(`kind.${kind}` as "kind.header") : kind;
  return (
    <>
      <p>{t("differences", { count: differences.length })}</p>
      <ul className={classes.differences}>
        {differences.map(({ kind, place, expected, found }) => {
          // The kind says which component it is about; what is left are the card and the button in it.
          const { steps } = parsePath(place);
          const where = pathText({ steps: steps.filter((step) => step.kind !== "component"), field: [] });
          return (
            <li key={`${kind} ${place}`}>
              <b>{kindText(kind)}</b>
              {where !== "" && <span className={classes.quiet}> {where}</span>}
              <dl>
                <dt>{t("expected")}</dt>
                <dd>{expected === "" ? t("none") : expected}</dd>
                <dt>{t("found")}</dt>
                <dd>{found === "" ? t("none") : found}</dd>
              </dl>
            </li>
          );
        })}
      </ul>
    </>
  );
}

/** A language that the name does not have yet. */
export function MissingCell({ row, language }: { row: MatrixRow; language: string }) {
  const { t } = useTranslation("matrix");
  const templates = row.cells.flatMap((cell) => cell.templates);
  const base = templates.find(({ reference }) => reference === row.base) ?? templates[0];
  const { begin, isPending } = useCreateDraft();
  const draft = useDraftOf(row.name)(language);
  if (draft !== undefined) {
    return (
      <Link
        to="/drafts/$draft"
        params={{ draft }}
        aria-label={t("openDraft", { language, name: row.name, nest: false })}
        tabIndex={-1}
        data-opens
        className={classes.open}
      >
        <Badge size="xs" variant="light" color="gray">
          {t("draft")}
        </Badge>
      </Link>
    );
  }
  if (!base) return null;
  // The column says which language.
  const add = () =>
    isPending || begin({ fromTemplate: base.reference, language, edit: false }, { onError: showFailure });
  return (
    <UnstyledButton
      tabIndex={-1}
      data-opens
      className={classes.missing}
      aria-label={t("add", { language, name: row.name })}
      onClick={add}
    >
      <IconPlus size={14} aria-hidden />
    </UnstyledButton>
  );
}

function statusOf({ archived, status }: TemplateRow): string {
  return archived ? "ARCHIVED" : status;
}

import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { CopyButton } from "@/components/copy-button";
import { FindingList } from "@/components/findings";
import { Instant } from "@/components/instant";
import { useCategoryText } from "@/components/status-badge";
import styles from "@/components/styles.module.css";
import { useWorkspace } from "@/lib/desk";
import { useWabaText } from "@/lib/waba-names";
import { ArchivalFacts } from "./archival";
import { ComponentView, showPart, useWord } from "./component-view";
import classes from "./template-screen.module.css";

interface OverviewProps {
  detail: TemplateDetail;
  /** Whenever it changes, the component at its pointer is brought into view. */
  target: { path: string } | undefined;
}

export function Overview({ detail, target }: OverviewProps) {
  const { t } = useTranslation("templates");
  const categoryText = useCategoryText();
  const word = useWord();
  const wabaText = useWabaText(useWorkspace().id);
  const { row, template, guidance, asOf } = detail;
  // Findings that explain a rejection are shown with it.
  const findings = detail.findings.filter(
    ({ code, path }) => !guidance.some((shown) => shown.code === code && shown.path === path),
  );
  useEffect(() => {
    if (target) showPart(target.path);
  }, [target]);
  return (
    <>
      {findings.length > 0 && (
        <section className={classes.section}>
          <h2>{t("findings")}</h2>
          <FindingList findings={findings} label={t("findings")} />
        </section>
      )}
      <section className={classes.section}>
        <h2>{t("components")}</h2>
        {template.components.length === 0 && (
          <p className={classes.text} data-quiet>
            {t("detail.noComponents")}
          </p>
        )}
        {template.components.map((component, index) => (
          <ComponentView key={index} component={component} path={`/components/${index}`} findings={guidance} />
        ))}
      </section>
      <section className={classes.section}>
        <h2>{t("facts")}</h2>
        <dl className={classes.facts}>
          <Fact label={t("fact.category")}>{categoryText(row.category)}</Fact>
          {row.wabas.length > 0 && <Fact label={t("fact.wabas")}>{row.wabas.map(wabaText).join(", ")}</Fact>}
          {row.updatedAt != null && (
            <Fact label={t("fact.changed")}>
              <Instant at={row.updatedAt} format="full" />
            </Fact>
          )}
          <ArchivalFacts detail={detail} />
          {asOf != null && (
            <Fact label={t("fact.asOf")}>
              <Instant at={asOf} format="full" />
            </Fact>
          )}
        </dl>
        <details className={classes.more}>
          <summary className={styles.muted}>{t("moreFacts")}</summary>
          <dl className={classes.facts}>
            {template.sub_category && <Fact label={t("fact.subCategory")}>{template.sub_category}</Fact>}
            {row.kind && <Fact label={t("fact.type")}>{word(`filters:value.type.${row.kind}`)}</Fact>}
            {template.parameter_format && (
              <Fact label={t("fact.variables")}>{word(`composer:variables.formats.${template.parameter_format}`)}</Fact>
            )}
            <Fact label={t("fact.reference")}>
              <span className={classes.mono}>{row.reference}</span>{" "}
              <CopyButton text={row.reference} label={t("detail.copyReference")} />
            </Fact>
          </dl>
        </details>
      </section>
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

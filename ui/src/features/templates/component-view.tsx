import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Button, Component, Finding } from "@/bindings/model";
import { SeverityIcon, useFindingText } from "@/components/findings";
import { JsonView } from "@/components/json-view";
import { ButtonIcon } from "@/components/phone/button-icon";
import styles from "@/components/styles.module.css";
import { componentPath } from "@/components/template-path";
import { stringifyJson } from "@/lib/exact-json";
import classes from "./template-screen.module.css";

interface ComponentViewProps {
  component: Component;
  /** JSON pointer to it. */
  path: string;
  /** Findings that mark the components they are about. */
  findings?: Finding[];
}

/** One component of a template, to be read. One that is not known is shown as its JSON. */
export function ComponentView({ component, path, findings = [] }: ComponentViewProps) {
  const { t } = useTranslation("templates");
  const frame = { path, findings: findings.filter((finding) => componentPath(finding.path) === path) };
  switch (component.type) {
    case "HEADER":
      return (
        <Frame {...frame} title={t("component.HEADER")} aside={component.format}>
          {component.text && <Words>{component.text}</Words>}
          <Samples values={[...(component.example?.header_text ?? []), ...(component.example?.header_handle ?? [])]} />
          <NamedSamples samples={component.example?.header_text_named_params} />
        </Frame>
      );
    case "BODY":
      return (
        <Frame {...frame} title={t("component.BODY")}>
          {component.text === undefined ? (
            <Words quiet>{t("component.fixedBody")}</Words>
          ) : (
            <Words>{component.text}</Words>
          )}
          <Samples values={component.example?.body_text?.[0] ?? []} numbered />
          <NamedSamples samples={component.example?.body_text_named_params} />
        </Frame>
      );
    case "FOOTER":
      return (
        <Frame {...frame} title={t("component.FOOTER")}>
          {component.text && <Words>{component.text}</Words>}
          {component.code_expiration_minutes !== undefined && (
            <Words quiet>{t("component.expires", { minutes: component.code_expiration_minutes })}</Words>
          )}
        </Frame>
      );
    case "BUTTONS":
      return (
        <Frame {...frame} title={t("component.BUTTONS")} aside={String(component.buttons.length)}>
          <ul className={classes.buttons}>
            {component.buttons.map((button, position) => (
              <ButtonLine key={position} button={button} />
            ))}
          </ul>
        </Frame>
      );
    case "CAROUSEL":
      return (
        <Frame {...frame} title={t("component.CAROUSEL", { count: component.cards.length })}>
          {component.cards.map((card, position) => (
            <details
              key={position}
              open={position === 0 || findings.some((finding) => finding.path.startsWith(`${path}/cards/${position}/`))}
            >
              <summary>{t("component.card", { place: position + 1 })}</summary>
              <div style={{ padding: "0.5rem 0" }}>
                {card.components.map((part, index) => (
                  <ComponentView
                    key={index}
                    component={part}
                    path={`${path}/cards/${position}/components/${index}`}
                    findings={findings}
                  />
                ))}
              </div>
            </details>
          ))}
        </Frame>
      );
    case "LIMITED_TIME_OFFER":
      return (
        <Frame {...frame} title={t("component.LIMITED_TIME_OFFER")}>
          <Words>{component.limited_time_offer.text}</Words>
          {component.limited_time_offer.has_expiration && <Words quiet>{t("component.expiration")}</Words>}
        </Frame>
      );
    default:
      return <UnknownComponent {...frame} component={component} />;
  }
}

function UnknownComponent({ component, ...frame }: FrameMarks & { component: { type?: unknown } }) {
  const title = typeof component.type === "string" ? component.type : "?";
  return (
    <Frame {...frame} title={title}>
      <JsonView text={stringifyJson(component)} label={title} />
    </Frame>
  );
}

interface FrameMarks {
  path: string;
  /** About this component. */
  findings: Finding[];
}

function Frame({ title, aside, path, findings, children }: FrameMarks & FrameProps) {
  const text = useFindingText();
  return (
    <section
      id={partId(path)}
      tabIndex={-1}
      className={classes.component}
      aria-label={title}
      data-marked={findings[0]?.severity}
    >
      <header>
        <span>{title}</span>
        {aside && <span className={classes.kind}>{aside}</span>}
      </header>
      <div>{children}</div>
      {findings.length > 0 && (
        <ul className={classes.marks}>
          {findings.map((finding, position) => (
            <li key={position}>
              <SeverityIcon severity={finding.severity} />
              <span dir="auto">{text(finding)}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

interface FrameProps {
  title: string;
  aside?: string;
  children: ReactNode;
}

/** Identifier of the component at `path` in the page. */
function partId(path: string): string {
  return `part${path}`;
}

/** Brings the component that `path` is in into view, and the focus to it. */
export function showPart(path: string): void {
  const part = document.getElementById(partId(componentPath(path)));
  for (let around = part?.closest("details"); around; around = around.parentElement?.closest("details")) {
    around.open = true;
  }
  part?.scrollIntoView({ block: "center" });
  part?.focus({ preventScroll: true });
}

function Words({ children, quiet }: { children: string; quiet?: boolean }) {
  return (
    <p className={classes.text} data-quiet={quiet || undefined} dir="auto">
      {children}
    </p>
  );
}

function Samples({ values, numbered = false }: { values: string[]; numbered?: boolean }) {
  const { t } = useTranslation("templates");
  if (values.length === 0) return null;
  return (
    <ul className={classes.samples} aria-label={t("component.samples")}>
      {values.map((value, position) => (
        <li key={position}>{numbered ? `{{${position + 1}}} = ${value}` : value}</li>
      ))}
    </ul>
  );
}

function NamedSamples({ samples }: { samples: { param_name: string; example: string }[] | undefined }) {
  const { t } = useTranslation("templates");
  if (!samples || samples.length === 0) return null;
  return (
    <ul className={classes.samples} aria-label={t("component.samples")}>
      {samples.map(({ param_name, example }) => (
        <li key={param_name}>
          {`{{${param_name}}}`} = {example}
        </li>
      ))}
    </ul>
  );
}

function ButtonLine({ button }: { button: Button }) {
  return (
    <li className={`${styles.row} ${styles.wrap}`}>
      <ButtonIcon kind={button.type} />
      <strong>{"text" in button && button.text ? button.text : button.type}</strong>
      <span className={classes.kind}>{button.type}</span>
      {button.type === "URL" && <span className={classes.target}>{button.url}</span>}
      {button.type === "PHONE_NUMBER" && <span className={classes.target}>{button.phone_number}</span>}
      {button.type === "COPY_CODE" && <span className={classes.target}>{button.example}</span>}
    </li>
  );
}

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Button, Component, Finding } from "@/bindings/model";
import { SeverityIcon, useFindingText } from "@/components/findings";
import { JsonView } from "@/components/json-view";
import { ButtonIcon } from "@/components/phone/button-icon";
import styles from "@/components/styles.module.css";
import { componentPath } from "@/components/template-path";
import { useWorkspace } from "@/lib/desk";
import { stringifyJson } from "@/lib/exact-json";
import { queries } from "@/lib/ipc/queries";
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
  const word = useWord();
  const frame = { path, findings: findings.filter((finding) => componentPath(finding.path) === path) };
  switch (component.type) {
    case "HEADER":
      return (
        <Frame
          {...frame}
          title={t("component.HEADER")}
          aside={component.format === "TEXT" ? undefined : word(`phone:media.${component.format}`)}
        >
          {component.text && <Words>{component.text}</Words>}
          <Samples values={component.example?.header_text ?? []} />
          {component.example?.header_handle?.map((handle) => (
            <SampleFile key={handle} handle={handle} isPicture={component.format === "IMAGE"} />
          ))}
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
            <Words quiet>{t("component.expires", { count: component.code_expiration_minutes })}</Words>
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
  aside?: string | undefined;
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

function Words({ children, quiet, title }: { children: string; quiet?: boolean; title?: string }) {
  return (
    <p className={classes.text} data-quiet={quiet || undefined} title={title} dir="auto">
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

/** The file of a sample: its picture where the host has it, else its name. */
function SampleFile({ handle, isPicture }: { handle: string; isPicture: boolean }) {
  const { t } = useTranslation("templates");
  const { id: workspace } = useWorkspace();
  const address = handle.startsWith("https://") || handle.startsWith("http://");
  const picture = useQuery({ ...queries.linkPicture(workspace, handle, true), enabled: isPicture && address });
  const thumbnail = picture.data?.thumbnail;
  if (thumbnail) return <img className={classes.sampleFile} src={thumbnail} alt={t("component.sampleFile")} />;
  const name = address ? fileName(handle) : "";
  return (
    <Words quiet title={handle}>
      {name === "" ? t("component.sampleFile") : `${t("component.sampleFile")}: ${name}`}
    </Words>
  );
}

/** The last step of an address's path; empty if it has none. */
function fileName(address: string): string {
  const last = address.split(/[?#]/)[0]?.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** A word of the wire in the language of the window, by the key of its text; as it came if it is not known. */
export function useWord(): (key: string) => string {
  const { t, i18n } = useTranslation("templates");
  return (key) => (i18n.exists(key) ? t(key as "title") : key.slice(key.lastIndexOf(".") + 1));
}

function ButtonLine({ button }: { button: Button }) {
  const word = useWord();
  const kind = word(`composer:button.${button.type}`);
  const label = "text" in button && button.text ? button.text : kind;
  return (
    <li className={`${styles.row} ${styles.wrap}`}>
      <ButtonIcon kind={button.type} />
      <strong>{label}</strong>
      {label !== kind && <span className={classes.kind}>{kind}</span>}
      {button.type === "URL" && <span className={classes.target}>{button.url}</span>}
      {button.type === "PHONE_NUMBER" && <span className={classes.target}>{button.phone_number}</span>}
      {button.type === "COPY_CODE" && <span className={classes.target}>{button.example}</span>}
    </li>
  );
}

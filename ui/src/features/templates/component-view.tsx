import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Button, Component } from "@/bindings/model";
import { JsonView } from "@/components/json-view";
import { ButtonIcon } from "@/components/phone/button-icon";
import classes from "./template-screen.module.css";

/** One component of a template, to be read. One that is not known is shown as its JSON. */
export function ComponentView({ component }: { component: Component }) {
  const { t } = useTranslation("templates");
  switch (component.type) {
    case "HEADER":
      return (
        <Frame title={t("component.HEADER")} aside={component.format}>
          {component.text && <Words>{component.text}</Words>}
          <Samples values={[...(component.example?.header_text ?? []), ...(component.example?.header_handle ?? [])]} />
          <NamedSamples samples={component.example?.header_text_named_params} />
        </Frame>
      );
    case "BODY":
      return (
        <Frame title={t("component.BODY")}>
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
        <Frame title={t("component.FOOTER")}>
          {component.text && <Words>{component.text}</Words>}
          {component.code_expiration_minutes !== undefined && (
            <Words quiet>{t("component.expires", { minutes: component.code_expiration_minutes })}</Words>
          )}
        </Frame>
      );
    case "BUTTONS":
      return (
        <Frame title={t("component.BUTTONS")} aside={String(component.buttons.length)}>
          <ul className={classes.buttons}>
            {component.buttons.map((button, place) => (
              <ButtonLine key={place} button={button} />
            ))}
          </ul>
        </Frame>
      );
    case "CAROUSEL":
      return (
        <Frame title={t("component.CAROUSEL", { count: component.cards.length })}>
          {component.cards.map((card, place) => (
            <details key={place} open={place === 0}>
              <summary>{t("component.card", { place: place + 1 })}</summary>
              <div style={{ padding: "0.5rem 0" }}>
                {card.components.map((part, index) => (
                  <ComponentView key={index} component={part} />
                ))}
              </div>
            </details>
          ))}
        </Frame>
      );
    case "LIMITED_TIME_OFFER":
      return (
        <Frame title={t("component.LIMITED_TIME_OFFER")}>
          <Words>{component.limited_time_offer.text}</Words>
          {component.limited_time_offer.has_expiration && <Words quiet>{t("component.expiration")}</Words>}
        </Frame>
      );
    default:
      return <UnknownComponent component={component} />;
  }
}

function UnknownComponent({ component }: { component: { type?: unknown } }) {
  const title = typeof component.type === "string" ? component.type : "?";
  return (
    <Frame title={title}>
      <JsonView text={JSON.stringify(component)} label={title} />
    </Frame>
  );
}

function Frame({ title, aside, children }: { title: string; aside?: string; children: ReactNode }) {
  return (
    <section className={classes.component} aria-label={title}>
      <header>
        <span>{title}</span>
        {aside && <span className={classes.kind}>{aside}</span>}
      </header>
      <div>{children}</div>
    </section>
  );
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
      {values.map((value, place) => (
        <li key={place}>{numbered ? `{{${place + 1}}} = ${value}` : value}</li>
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
    <li>
      <ButtonIcon kind={button.type} />
      <strong>{"text" in button && button.text ? button.text : button.type}</strong>
      <span className={classes.kind}>{button.type}</span>
      {button.type === "URL" && <span className={classes.target}>{button.url}</span>}
      {button.type === "PHONE_NUMBER" && <span className={classes.target}>{button.phone_number}</span>}
      {button.type === "COPY_CODE" && <span className={classes.target}>{button.example}</span>}
    </li>
  );
}

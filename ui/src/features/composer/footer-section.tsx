import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useField } from "./field";
import { setFooter } from "./parts";
import { useComponent, useParts } from "./parts-context";
import { Section } from "./section";

export function FooterSection() {
  const { t } = useTranslation("composer");
  const { change } = useParts();
  const { component, path } = useComponent("FOOTER");
  const text = component?.text ?? "";
  const field = useField(`${path}/text`, { empty: text === "", also: [path, `${path}/code_expiration_minutes`] });
  // An offer has no footer; one that is there can still be read and taken out.
  const { component: offer } = useComponent("LIMITED_TIME_OFFER");
  if (offer && !component) return null;
  return (
    <Section title={t("footer")}>
      <TextInput
        {...field}
        aria-label={t("footerText")}
        placeholder={t("footerPlaceholder")}
        value={text}
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((before) => setFooter(before, value), "footer");
        }}
      />
    </Section>
  );
}

import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useComposer } from "./composer-context";
import { componentOf, placeOf, setFooter } from "./edit";
import { useField } from "./field";
import { Section } from "./section";

export function FooterSection() {
  const { t } = useTranslation("composer");
  const { template, change } = useComposer();
  const text = componentOf(template, "FOOTER")?.text ?? "";
  const path = `/components/${placeOf(template, "FOOTER")}`;
  const field = useField(`${path}/text`, { empty: text === "", also: [path, `${path}/code_expiration_minutes`] });
  return (
    <Section title={t("footer")}>
      <TextInput
        {...field}
        aria-label={t("footerText")}
        placeholder={t("footerPlaceholder")}
        value={text}
        dir="auto"
        onChange={(event) => {
          const { value } = event.currentTarget;
          change((before) => setFooter(before, value));
        }}
      />
    </Section>
  );
}

import { Radio, SegmentedControl, Select, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ColorScheme, Persona } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { LANGUAGE_NAMES, LANGUAGES } from "@/lib/i18n/languages";
import { SettingsPage } from "./settings-page";
import { useStoredPreferences } from "./stored-preferences";

const SCHEMES = ["system", "light", "dark"] as const satisfies readonly ColorScheme[];

export function AppearanceSection() {
  const { t } = useTranslation("settings");
  const { preferences, change, error } = useStoredPreferences();
  return (
    <SettingsPage>
      {error && <ErrorNotice error={error} />}
      <Card title={t("appearance.colors")}>
        <div>
          <SegmentedControl
            aria-label={t("appearance.colors")}
            value={preferences.colorScheme}
            onChange={(colorScheme) => change({ colorScheme: colorScheme as ColorScheme })}
            data={SCHEMES.map((value) => ({ value, label: t(`appearance.${value}`) }))}
          />
        </div>
      </Card>
      <Card title={t("appearance.language")}>
        <Select
          aria-label={t("appearance.language")}
          allowDeselect={false}
          maw={320}
          value={preferences.language === "" ? "system" : preferences.language}
          onChange={(language) => change({ language: language === null || language === "system" ? "" : language })}
          data={[
            { value: "system", label: t("appearance.systemLanguage") },
            ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
          ]}
        />
      </Card>
    </SettingsPage>
  );
}

const PERSONAS = ["marketing", "support", "admin"] as const satisfies readonly Persona[];

export function PersonaSection() {
  const { t } = useTranslation("settings");
  const { preferences, change, error } = useStoredPreferences();
  return (
    <SettingsPage>
      {error && <ErrorNotice error={error} />}
      <Card title={t("persona.title")} text={t("persona.text")}>
        <Radio.Group
          aria-label={t("persona.title")}
          value={preferences.persona}
          onChange={(persona) => change({ persona: persona as Persona })}
        >
          <Stack gap="sm">
            {PERSONAS.map((value) => (
              <Radio
                key={value}
                value={value}
                label={t(`persona.${value}.name`)}
                description={t(`persona.${value}.text`)}
              />
            ))}
          </Stack>
        </Radio.Group>
      </Card>
    </SettingsPage>
  );
}

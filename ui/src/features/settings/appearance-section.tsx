import { SegmentedControl, Select } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ColorScheme } from "@/bindings/app";
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

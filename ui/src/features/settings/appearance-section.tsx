import { SegmentedControl, Select, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ColorScheme, Density } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import styles from "@/components/styles.module.css";
import { LANGUAGE_NAMES, LANGUAGES } from "@/lib/i18n/languages";
import { SettingsPage } from "./settings-page";
import { useStoredPreferences } from "./stored-preferences";

const SCHEMES = ["system", "light", "dark"] as const satisfies readonly ColorScheme[];
const DENSITIES = ["comfortable", "compact"] as const satisfies readonly Density[];
/** Sizes of text that are offered, in percent. The host allows every size between the first and the last. */
const TEXT_SCALES = [100, 110, 125, 150, 175, 200];

export function AppearanceSection() {
  const { t, i18n } = useTranslation("settings");
  const { preferences, change, error } = useStoredPreferences();
  const percent = new Intl.NumberFormat(i18n.language, { style: "percent" });
  const scales = [...new Set([...TEXT_SCALES, preferences.textScale])].sort((a, b) => a - b);
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
        <Switch
          label={t("appearance.highContrast")}
          aria-label={t("appearance.highContrast")}
          description={t("appearance.contrastText")}
          checked={preferences.contrast === "high"}
          onChange={(event) => change({ contrast: event.currentTarget.checked ? "high" : "system" })}
        />
      </Card>
      <Card title={t("appearance.textSize")} text={t("appearance.textSizeText")}>
        <div>
          <SegmentedControl
            aria-label={t("appearance.textSize")}
            value={String(preferences.textScale)}
            onChange={(scale) => change({ textScale: Number(scale) })}
            data={scales.map((value) => ({ value: String(value), label: percent.format(value / 100) }))}
          />
        </div>
      </Card>
      <Card title={t("appearance.density")} text={t("appearance.densityText")}>
        <div>
          <SegmentedControl
            aria-label={t("appearance.density")}
            value={preferences.density}
            onChange={(density) => change({ density: density as Density })}
            data={DENSITIES.map((value) => ({ value, label: t(`appearance.${value}`) }))}
          />
        </div>
        <p className={styles.small}>{t("appearance.motion")}</p>
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

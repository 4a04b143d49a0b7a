import { Radio, SegmentedControl, Select, Stack, Switch } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { ColorScheme, Persona, Preferences } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useBootstrap } from "@/lib/desk";
import { LANGUAGE_NAMES, LANGUAGES } from "@/lib/i18n/languages";
import { useCommand } from "@/lib/ipc/mutations";
import classes from "./settings.module.css";

/** The preferences, how to change them, and why the last change was not stored. */
function useStoredPreferences() {
  const { preferences } = useBootstrap();
  const save = useCommand("save_preferences");
  const shown = save.isPending ? save.variables : preferences;
  const change = (part: Partial<Preferences>) => save.mutate({ ...shown, ...part });
  return { preferences: shown, change, error: save.error };
}

const SCHEMES = ["system", "light", "dark"] as const satisfies readonly ColorScheme[];

export function AppearanceSection() {
  const { t } = useTranslation("settings");
  const { preferences, change, error } = useStoredPreferences();
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>
        {error && <ErrorNotice error={error} />}
        <section className={classes.card} aria-labelledby="appearance-colors">
          <h2 id="appearance-colors">{t("appearance.colors")}</h2>
          <div>
            <SegmentedControl
              aria-label={t("appearance.colors")}
              value={preferences.colorScheme}
              onChange={(colorScheme) => change({ colorScheme: colorScheme as ColorScheme })}
              data={SCHEMES.map((value) => ({ value, label: t(`appearance.${value}`) }))}
            />
          </div>
        </section>
        <section className={classes.card} aria-labelledby="appearance-language">
          <h2 id="appearance-language">{t("appearance.language")}</h2>
          <Select
            aria-labelledby="appearance-language"
            allowDeselect={false}
            maw={320}
            value={preferences.language === "" ? "system" : preferences.language}
            onChange={(language) => change({ language: language === null || language === "system" ? "" : language })}
            data={[
              { value: "system", label: t("appearance.systemLanguage") },
              ...LANGUAGES.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
            ]}
          />
        </section>
      </div>
    </div>
  );
}

const PERSONAS = ["marketing", "support", "admin"] as const satisfies readonly Persona[];

export function PersonaSection() {
  const { t } = useTranslation("settings");
  const { preferences, change, error } = useStoredPreferences();
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>
        {error && <ErrorNotice error={error} />}
        <section className={classes.card}>
          <h2>{t("persona.title")}</h2>
          <p className={classes.text}>{t("persona.text")}</p>
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
        </section>
      </div>
    </div>
  );
}

export function NotificationsSection() {
  const { t } = useTranslation("settings");
  const { preferences, change, error } = useStoredPreferences();
  return (
    <div className={classes.page}>
      <div className={classes.narrow}>
        {error && <ErrorNotice error={error} />}
        <section className={classes.card}>
          <h2>{t("notifications.title")}</h2>
          <Switch
            label={t("notifications.label")}
            description={t("notifications.hint")}
            checked={preferences.notify}
            onChange={(event) => change({ notify: event.currentTarget.checked })}
          />
        </section>
      </div>
    </div>
  );
}

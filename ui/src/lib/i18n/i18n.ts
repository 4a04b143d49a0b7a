import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { type Language, resolveLanguage } from "./languages";

type Namespaces = Record<string, object>;

// One chunk a language: only the one shown is fetched.
const LOADERS: Record<Language, () => Promise<{ namespaces: Namespaces }>> = {
  en: () => import("@/locales/en"),
  "pt-BR": () => import("@/locales/pt-br"),
  es: () => import("@/locales/es"),
};

/** Shows the window in `chosen`, or in the system's language where it is empty. */
export async function showLanguage(chosen: string): Promise<void> {
  const language = resolveLanguage(chosen, navigator.languages);
  const { namespaces } = await LOADERS[language]();
  if (!i18next.isInitialized) {
    await i18next.use(initReactI18next).init({
      lng: language,
      resources: { [language]: namespaces },
      defaultNS: "common",
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  } else {
    for (const [namespace, texts] of Object.entries(namespaces)) {
      i18next.addResourceBundle(language, namespace, texts, true, true);
    }
    await i18next.changeLanguage(language);
  }
  document.documentElement.lang = language;
}

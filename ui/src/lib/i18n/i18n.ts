import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { loadTexts } from "./texts";

/** Shows the window in `chosen`, or in the system's language where it is empty. */
export async function showLanguage(chosen: string): Promise<void> {
  const { language, namespaces } = await loadTexts(chosen);
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

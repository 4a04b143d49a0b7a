import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { call } from "@/lib/ipc/client";
import type { Language } from "./languages";
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
  if (chosen === "") tellHost(language);
}

/** The host writes exports and notifications in the system's language, which only the window knows everywhere. */
function tellHost(language: Language): void {
  call("set_window_language", { language }).catch((reason: unknown) =>
    console.warn("exports and notifications may be in another language", reason),
  );
}

import { type Language, resolveLanguage } from "./languages";

type Namespaces = Record<string, object>;

// One chunk a language: only the one shown is fetched.
const LOADERS: Record<Language, () => Promise<{ namespaces: Namespaces }>> = {
  en: () => import("@/locales/en"),
  "pt-BR": () => import("@/locales/pt-br"),
  es: () => import("@/locales/es"),
};

/** The texts of the window in `chosen`, or in the system's language where it is empty. */
export async function loadTexts(chosen: string): Promise<{ language: Language; namespaces: Namespaces }> {
  const language = resolveLanguage(chosen, navigator.languages);
  const { namespaces } = await LOADERS[language]();
  return { language, namespaces };
}

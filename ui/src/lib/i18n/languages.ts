// Languages of the window. One folder of locales each; one file a feature, so that features do not meet in a file.

export const LANGUAGES = ["en", "pt-BR", "es"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Names as their speakers write them. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: "English",
  "pt-BR": "Português (Brasil)",
  es: "Español",
};

/** The language to show: as chosen, else the first of the system's that we speak, else English. */
export function resolveLanguage(chosen: string, system: readonly string[]): Language {
  for (const preferred of chosen === "" ? system : [chosen]) {
    const match = LANGUAGES.find(
      (language) => language === preferred || language.split("-")[0] === preferred.split("-")[0]?.toLowerCase(),
    );
    if (match) return match;
  }
  return "en";
}

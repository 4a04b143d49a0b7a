import { displayNames } from "@/lib/formats";

/** The name of a country in the language of the window; the code where that is not known. */
export function countryName(code: string, language: string): string {
  try {
    return displayNames(language, { type: "region" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A number with the name of its country, if it is of one. */
export function numberWithCountry(formatted: string, country: string | null | undefined, language: string): string {
  return country ? `${formatted}, ${countryName(country, language)}` : formatted;
}

import { describe, expect, it } from "vitest";
import type { DeskError } from "@/bindings/app";
import { LANGUAGES, type Language } from "@/lib/i18n/languages";
import { namespaces as en } from "./en";
import { namespaces as es } from "./es";
import { namespaces as ptBR } from "./pt-br";

const ALL: Record<Language, Record<string, object>> = { en, "pt-BR": ptBR, es };

/** `{a: {b: "text"}}` as `["a.b", "text"]`. */
function texts(tree: object, path = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === "string" ? [[path + key, value]] : texts(value as object, `${path}${key}.`),
  );
}

const variables = (text: string) => [...text.matchAll(/\{\{\s*(\w+)/g)].map(([, name]) => name).sort();
const others = LANGUAGES.filter((language) => language !== "en");

describe.each(others)("%s", (language) => {
  it("has the namespaces of English", () => {
    expect(Object.keys(ALL[language]).sort()).toEqual(Object.keys(en).sort());
  });

  it.each(Object.keys(en).filter((namespace) => namespace !== "findings"))(
    "says everything English says in %s, with the same values",
    (namespace) => {
      const expected = new Map(texts(en[namespace] ?? {}));
      const actual = new Map(texts(ALL[language][namespace] ?? {}));
      expect([...actual.keys()].sort()).toEqual([...expected.keys()].sort());
      for (const [key, text] of expected) {
        expect(variables(actual.get(key) ?? ""), key).toEqual(variables(text));
        expect(actual.get(key)?.trim(), key).not.toBe("");
      }
    },
  );
});

// i18next falls back to no other form: a count of the missing one would show the text of another language.
it.each(LANGUAGES)("has every plural form of every language in %s", (language) => {
  const forms = [...new Set(LANGUAGES.flatMap((of) => new Intl.PluralRules(of).resolvedOptions().pluralCategories))];
  for (const [namespace, tree] of Object.entries(ALL[language])) {
    const keys = new Set(texts(tree).map(([key]) => key));
    const plurals = [...keys].filter((key) => keys.has(key.replace(/_other$/, "_one")) && key.endsWith("_other"));
    for (const key of plurals) {
      for (const form of forms) expect(keys, namespace).toContain(key.replace(/_other$/, `_${form}`));
    }
  }
});

it("translates the same rules into every language; their English is in the rules", () => {
  const rules = (language: Language) => texts(ALL[language].findings ?? {}).map(([key]) => key);
  for (const language of others) expect(rules(language)).toEqual(rules("pt-BR"));
  expect(rules("en").filter((key) => key.startsWith("rules."))).toEqual([]);
});

it("has a title and advice for every code of an error", () => {
  const codes: Record<DeskError["code"], true> = {
    unauthorized: true,
    missingCredentials: true,
    credentialsForOtherAddress: true,
    mediaHostUnconfirmed: true,
    offline: true,
    timedOut: true,
    tookTooLong: true,
    invalidInput: true,
    conflict: true,
    notFound: true,
    rateLimited: true,
    service: true,
    unreadable: true,
    file: true,
    keyringUnavailable: true,
    storage: true,
    outcomeUnknown: true,
    cancelled: true,
    internal: true,
  };
  const keys = texts(en.errors ?? {}).map(([key]) => key);
  for (const code of Object.keys(codes))
    expect(keys).toEqual(expect.arrayContaining([`${code}.title`, `${code}.todo`]));
});

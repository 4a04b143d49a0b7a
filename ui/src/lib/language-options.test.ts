import { expect, it } from "vitest";
import { filterLanguages } from "./language-options";

const item = (label: string) => ({ value: /\(([^()]*)\)$/.exec(label)?.[1] ?? "", label });
const languages = [
  { group: "In use", items: [item("Espanhol (México) (es_MX)"), item("Português (Brasil) (pt_BR)")] },
  {
    group: "Others",
    items: ["Árabe (Emirados Árabes Unidos) (ar_AE)", "Espanhol (es)", "Estoniano (et)", "Francês (fr)"].map(item),
  },
];
const found = (search: string) =>
  filterLanguages({ options: languages, search, limit: Number.POSITIVE_INFINITY }).map((option) =>
    "value" in option ? option.value : option.group,
  );

it("finds a language by its code first, then by the beginning of its name", () => {
  // "Português" has an "es" with an accent, "Emirados Árabes" one without.
  expect(found("es")).toEqual(["es", "es_MX", "et", "pt_BR", "ar_AE", "fr"]);
  expect(found("ES ")[0]).toBe("es");
  expect(found("pt_br")).toEqual(["pt_BR"]);
});

it("finds a language without its accents, in any order of the words", () => {
  expect(found("frances")).toEqual(["fr"]);
  expect(found("mexico espanhol")).toEqual(["es_MX"]);
});

it("keeps the groups while nothing is typed", () => {
  expect(found("")).toEqual(["In use", "Others"]);
});

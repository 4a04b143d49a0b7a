import { expect, it } from "vitest";
import { dayText, isSameDay } from "./days";

const now = new Date(2026, 10, 20, 14, 30);
const at = (year: number, month: number, day: number, hour = 9) => new Date(year, month - 1, day, hour).getTime();

it.each([
  ["today", at(2026, 11, 20, 0), "en", "Today"],
  ["yesterday, however few hours ago", at(2026, 11, 19, 23), "en", "Yesterday"],
  ["in another language", at(2026, 11, 19), "pt-BR", "Ontem"],
  ["a weekday within the week", at(2026, 11, 16), "es", "Lunes"],
  ["a date before that", at(2026, 11, 13), "en", "November 13, 2026"],
  ["a date in the future", at(2026, 11, 22), "en", "November 22, 2026"],
])("names %s", (_, instant, language, text) => {
  expect(dayText(instant, language, now)).toBe(text);
});

it("parts days at midnight", () => {
  expect(isSameDay(at(2026, 11, 20, 0), at(2026, 11, 20, 23))).toBe(true);
  expect(isSameDay(at(2026, 11, 19, 23), at(2026, 11, 20, 0))).toBe(false);
});

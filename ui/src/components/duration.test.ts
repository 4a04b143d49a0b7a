import { expect, it } from "vitest";
import { durationText } from "./duration";

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

it.each([
  [0, "en", "1 second"],
  [89 * SECOND, "en", "89 seconds"],
  [90 * SECOND, "en", "2 minutes"],
  [80 * 60 * SECOND, "en", "80 minutes"],
  [1.5 * HOUR, "en", "1 hour 30 minutes"],
  [1.5 * HOUR, "pt-BR", "1 hora 30 minutos"],
  [2 * HOUR, "en", "2 hours"],
  [10 * HOUR - SECOND, "en", "10 hours"],
  [30 * HOUR, "en", "30 hours"],
  [36 * HOUR, "en", "1 day 12 hours"],
  [67 * HOUR, "es", "2 días 19 horas"],
  [72 * HOUR - SECOND, "en", "3 days"],
  [10.7 * 24 * HOUR, "en", "11 days"],
  [40 * 24 * HOUR, "es", "40 días"],
])("%d ms in %s are %s", (milliseconds, language, text) => {
  expect(durationText(milliseconds, language)).toBe(text);
});

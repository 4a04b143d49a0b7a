import { expect, it } from "vitest";
import { otherNameIn } from "./other-name";

const NAMES = ["Flores", "Flores Atacado", "Aurora", "+1"];

it.each([
  ["Hi, this is Aurora.", "Flores", "Aurora"],
  ["Hi, this is Flores.", "Flores", undefined],
  ["Hi, this is Flores Atacado.", "Flores Atacado", undefined],
  ["Hi, this is Flores Atacado.", "Flores", "Flores Atacado"],
  ["Flores Atacado and Flores", "Flores Atacado", "Flores"],
  ["call +1", "Flores", undefined],
  ["Auroras are seen in the north", "Flores", undefined],
  ["", "", undefined],
])("%s from %s names %s", (text, own, other) => {
  expect(otherNameIn(text, own, NAMES)).toBe(other);
});

import { expect, it } from "vitest";
import { readableWord } from "./readable-word";

it.each([
  ["LIMITED_BY_X", "Limited by x"],
  ["PENDING-REVIEW2", "Pending review2"],
  ["GREEN", "Green"],
  ["sent", "sent"],
  ["In review", "In review"],
  ["", ""],
])("shows %j as %j", (word, words) => expect(readableWord(word)).toBe(words));

import { afterEach, expect, it, vi } from "vitest";
import { surround } from "./insertion";

afterEach(() => document.body.replaceChildren());

/** Formats what is between the bars in bold, and returns the value with the new selection between bars. */
async function bold(marked: string) {
  const field = document.createElement("textarea");
  document.body.append(field);
  const [before = "", selected = "", after = ""] = marked.split("|");
  field.value = before + selected + after;
  field.setSelectionRange(before.length, before.length + selected.length);
  surround(field, "*", (value) => {
    field.value = value;
  });
  await vi.waitFor(() => expect(field.value).not.toBe(before + selected + after));
  await new Promise(requestAnimationFrame);
  const { value, selectionStart: start, selectionEnd: end } = field;
  return `${value.slice(0, start)}|${value.slice(start, end)}|${value.slice(end)}`;
}

it.each([
  ["Get |20 %| off", "Get |*20 %*| off"],
  ["Get |20 % |off", "Get |*20 %*| off"],
  ["Get| 20 % |off", "Get |*20 %*| off"],
  ["Get |*20 %* |off", "Get |20 %| off"],
  ["Get || off", "Get *||* off"],
  ["Get| |off", "Get*||* off"],
])("formats %j as %j", async (marked, formatted) => {
  expect(await bold(marked)).toBe(formatted);
});

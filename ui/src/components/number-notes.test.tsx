import { MantineProvider } from "@mantine/core";
import { wholeText } from "@test/whole-text";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import type { RecipientFacts } from "@/bindings/app";
import { showLanguage } from "@/lib/i18n/i18n";
import { NumberNotes } from "./number-notes";

async function show(known: Partial<RecipientFacts>, name = "") {
  await showLanguage("en");
  const onUse = vi.fn();
  const facts = { countryAssumed: false, formatted: "+55 11 8765-4321", country: "BR", ...known };
  const person = name === "" ? undefined : { number: "5511987654321", name, formatted: "+55 11 98765-4321" };
  render(
    <MantineProvider>
      <NumberNotes known={facts} person={person} problems={[]} onUse={onUse} />
    </MantineProvider>,
  );
  return onUse;
}

it("asks whether the ninth digit of a known person is missing, and takes their number at a click", async () => {
  const onUse = await show({ lacksNinth: { digits: "5511987654321", formatted: "+55 11 98765-4321", name: "Ana" } });
  const question = screen.getByText(/is the 9 missing/);
  expect(question.textContent?.replaceAll(/[\u2066-\u2069]/g, "")).toBe(
    "Looks like Ana, +55 11 98765-4321: is the 9 missing?",
  );
  await userEvent.click(screen.getByRole("button", { name: "Use +55 11 98765-4321" }));
  expect(onUse).toHaveBeenCalledWith("+5511987654321");
});

it("keeps a number from left to right beside a name that is read from right to left", async () => {
  await show({}, "محمد علي");
  expect(screen.getByText(wholeText("محمد علي · +55 11 98765-4321 · Brazil"))).toBeTruthy();
  const number = screen.getByText("+55 11 98765-4321");
  expect([number.tagName, number.getAttribute("dir")]).toEqual(["BDI", "ltr"]);
  expect(screen.getByText("محمد علي").tagName).toBe("BDI");
});

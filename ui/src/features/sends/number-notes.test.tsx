import { MantineProvider } from "@mantine/core";
import { wholeText } from "@test/whole-text";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import type { RecipientFacts } from "@/bindings/app";
import { showLanguage } from "@/lib/i18n/i18n";
import { NumberNotes } from "./number-notes";

async function show(known: Partial<RecipientFacts>, name = "") {
  await showLanguage("en");
  const facts = { countryAssumed: false, formatted: "+55 11 8765-4321", country: "BR", ...known };
  const person = name === "" ? undefined : { number: "5511987654321", name, formatted: "+55 11 98765-4321" };
  render(
    <MantineProvider>
      <NumberNotes known={facts} person={person} problems={[]} onUse={() => {}} />
    </MantineProvider>,
  );
}

it("keeps a number from left to right beside a name that is read from right to left", async () => {
  await show({}, "محمد علي");
  expect(screen.getByText(wholeText("محمد علي · +55 11 98765-4321 · Brazil"))).toBeTruthy();
  const number = screen.getByText("+55 11 98765-4321");
  expect([number.tagName, number.getAttribute("dir")]).toEqual(["BDI", "ltr"]);
  expect(screen.getByText("محمد علي").tagName).toBe("BDI");
});

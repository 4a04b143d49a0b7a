import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { describe, expect, it } from "vitest";
import { NumberField } from "./number-field";
import { hasInvalidNumber, readNumber } from "./number-text";

const MAX = Number.MAX_SAFE_INTEGER;

describe("readNumber", () => {
  it.each([
    ["", undefined],
    [" 42 ", 42],
    ["007", 7],
    ["9007199254740991", MAX],
    ["9007199254740992", Number.NaN],
    ["9007199254740993", Number.NaN],
    ["99999999999999999999", Number.NaN],
    ["0", Number.NaN],
    ["-1", Number.NaN],
    ["1e3", Number.NaN],
    ["1.9", Number.NaN],
    ["1,9", Number.NaN],
    ["0x10", Number.NaN],
    ["Infinity", Number.NaN],
    ["five", Number.NaN],
  ])("reads the whole number %j", (text, value) => {
    expect(readNumber(text, { min: 1, max: MAX }, ".")).toBe(value);
  });

  it.each([
    ["2.5", ".", 2.5],
    ["2,5", ",", 2.5],
    ["2,5", ".", Number.NaN],
    ["2.5", ",", Number.NaN],
    ["0.0001", ".", Number.NaN],
    [".5", ".", Number.NaN],
    ["1.2.3", ".", Number.NaN],
    ["10.001", ".", Number.NaN],
  ])("reads the decimal number %j with the separator %j", (text, separator, value) => {
    expect(readNumber(text, { min: 0, max: 10, decimals: 3 }, separator)).toBe(value);
  });
});

it("finds an invalid number in the parts of a form", () => {
  expect(hasInvalidNumber({ a: 1, b: { c: null, d: ["x"] } })).toBe(false);
  expect(hasInvalidNumber({ a: 1, b: { c: [Number.NaN] } })).toBe(true);
});

function Example({ initial }: { initial: number }) {
  const [value, setValue] = useState(initial);
  return (
    <MantineProvider>
      <NumberField label="Days" min={1} max={30} value={value} onChange={setValue} />
      <output>{String(value)}</output>
      <button type="button" onClick={() => setValue(initial)}>
        Reset
      </button>
    </MantineProvider>
  );
}

it("keeps what was typed, says what it expects, and follows a value that is set elsewhere", async () => {
  const user = userEvent.setup();
  render(<Example initial={5} />);
  const field = screen.getByRole<HTMLInputElement>("textbox", { name: "Days" });
  expect(field.value).toBe("5");
  await user.clear(field);
  await user.type(field, "1.5");
  expect(field.value).toBe("1.5");
  expect(screen.getByRole("status").textContent).toBe("NaN");
  expect(screen.getByText("Enter a whole number from 1 to 30.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Reset" }));
  expect(field.value).toBe("5");
  expect(screen.queryByText(/Enter a whole number/)).toBeNull();
});

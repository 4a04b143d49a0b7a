import { MantineProvider } from "@mantine/core";
import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { Hint } from "./hint";

afterEach(() => {
  vi.useRealTimers();
});

test("a hint is formatted when the pointer rests on its element, which stays the same", async () => {
  let formatted = 0;
  const user = userEvent.setup();
  render(
    <MantineProvider>
      <Hint
        label={() => {
          formatted += 1;
          return "22 November 2026, 14:30";
        }}
      >
        <time>22 Nov</time>
      </Hint>
    </MantineProvider>,
  );
  const element = screen.getByText("22 Nov");
  expect(formatted).toBe(0);
  await user.hover(element);
  expect((await screen.findByRole("tooltip")).textContent).toContain("22 November 2026, 14:30");
  expect(screen.getByText("22 Nov")).toBe(element);
  await user.unhover(element);
  await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
});

test("a disabled hint stays closed, and another one waits as long as it should", () => {
  vi.useFakeTimers();
  const hint = (disabled: boolean) => (
    <MantineProvider>
      <Hint label={() => "22 November 2026, 14:30"} openDelay={1_000} disabled={disabled}>
        <time>22 Nov</time>
      </Hint>
    </MantineProvider>
  );
  const { rerender } = render(hint(true));
  fireEvent.pointerEnter(screen.getByText("22 Nov"));
  act(() => vi.advanceTimersByTime(5_000));
  expect(screen.queryByRole("tooltip")).toBeNull();
  fireEvent.pointerLeave(screen.getByText("22 Nov"));

  rerender(hint(false));
  fireEvent.pointerEnter(screen.getByText("22 Nov"));
  act(() => vi.advanceTimersByTime(900));
  expect(screen.queryByRole("tooltip")).toBeNull();
  act(() => vi.advanceTimersByTime(200));
  expect(screen.getByRole("tooltip")).toBeDefined();
});

test("a pointer that passes over opens no hint", () => {
  vi.useFakeTimers();
  render(
    <MantineProvider>
      <Hint
        label={() => {
          throw new Error("formatted");
        }}
      >
        <span>22 Nov</span>
      </Hint>
    </MantineProvider>,
  );
  const element = screen.getByText("22 Nov");
  fireEvent.pointerEnter(element);
  fireEvent.pointerLeave(element);
  act(() => vi.advanceTimersByTime(5_000));
  expect(screen.queryByRole("tooltip")).toBeNull();
});

import { renderHook } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { returnFocus, useFocusPlace } from "./return-focus";

it("gives nothing back once the window is gone", () => {
  vi.useFakeTimers();
  const field = document.body.appendChild(document.createElement("input"));
  const shell = renderHook(() => useFocusPlace());
  field.focus();
  returnFocus();
  expect(vi.getTimerCount()).toBe(1);
  shell.unmount();
  expect(vi.getTimerCount()).toBe(0);
  // A dialog that is unmounted with the window comes after it.
  returnFocus();
  expect(vi.getTimerCount()).toBe(0);
  field.remove();
  vi.useRealTimers();
});

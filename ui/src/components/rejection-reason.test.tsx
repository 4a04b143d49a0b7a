import { renderApp } from "@test/render-app";
import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { useReasonTitle } from "./rejection-reason";

it("shows a reason that is not known as words", () => {
  renderApp("/review");
  const { result } = renderHook(() => useReasonTitle());
  expect(result.current("SCAM")).toBe("The content looks like a scam");
  expect(result.current("NEW_POLICY_X")).toBe("New policy x");
  expect(result.current("Please add a sample.")).toBe("Please add a sample.");
  expect(result.current(null)).toBe("WhatsApp gave no reason");
});

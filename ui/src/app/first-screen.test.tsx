import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen } from "@testing-library/react";
import { expect, test } from "vitest";

test("the first drawing of the window has the rows of its list", async () => {
  const host = createFakeHost({ templates: 3 });
  renderApp("/templates", host);
  const seen: number[] = [];
  const watch = new MutationObserver(() => {
    if (screen.queryByRole("heading", { level: 1 })) seen.push(screen.queryAllByRole("row").length);
  });
  watch.observe(document.body, { childList: true, subtree: true });
  await screen.findAllByRole("row");
  watch.disconnect();
  expect(seen[0]).toBe(3);
});

test("the window opens when its list is not answered", async () => {
  const host = createFakeHost({ templates: 3 });
  host.answer("list_templates", () => new Promise<never>(() => undefined));
  renderApp("/templates", host);
  expect(await screen.findByRole("heading", { level: 1, name: "Templates" })).toBeDefined();
  expect(screen.queryAllByRole("row")).toEqual([]);
});

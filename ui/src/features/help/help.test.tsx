import { readFileSync } from "node:fs";
import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { LINKED_PAGES } from "@/lib/help/pages";
import { guideFile, parseGuide } from "../../../help-plugin";

const guide = (language: string) => parseGuide(readFileSync(guideFile(process.cwd(), language), "utf8"));

describe("the user guide", () => {
  it.each(["pt-BR", "es"])("has the same sections in %s, in the same order", (language) => {
    const ids = (of: string) => guide(of).map(({ id }) => id);
    expect(ids(language)).toEqual(ids("en"));
    const groups = (of: string) => guide(of).map(({ group }, index, all) => group !== all[index - 1]?.group);
    expect(groups(language)).toEqual(groups("en"));
    expect(guide(language).every(({ blocks }) => blocks.length > 0)).toBe(true);
  });

  it("has a page for every screen that leads to one", () => {
    const ids = new Set(guide("en").map(({ id }) => id));
    expect(LINKED_PAGES.filter((page) => page === undefined || !ids.has(page))).toEqual([]);
  });

  it("is refused where a link leads nowhere", () => {
    expect(() => parseGuide("# A\n\nSee [b](#b).")).toThrow("links to");
  });
});

describe("Help", () => {
  it("shows a section, follows its links and finds others by their words", async () => {
    const { user } = renderApp("/help?page=write-a-template");
    await screen.findByRole("heading", { level: 2, name: "Write a template" });
    const contents = within(screen.getByRole("navigation", { name: "Contents" }));
    await user.type(screen.getByRole("searchbox", { name: "Search the guide" }), "keyring locked");
    await waitFor(() => expect(contents.queryByRole("link", { name: "Write a template" })).toBeNull());
    await user.click(contents.getByRole("link", { name: "Secrets and the keyring" }));
    const heading = await screen.findByRole("heading", { level: 2, name: "Secrets and the keyring" });
    await waitFor(() => expect(document.activeElement).toBe(heading));
  });

  it("is in the language of the window", async () => {
    const host = createFakeHost({ templates: 3 });
    const bootstrap = await host.call("get_bootstrap", {});
    host.answer("get_bootstrap", () => ({
      ...bootstrap,
      preferences: { ...bootstrap.preferences, language: "es" },
    }));
    renderApp("/help?page=write-a-template", host);
    expect(await screen.findByRole("heading", { level: 2, name: "Escribir una plantilla" })).toBeDefined();
  });

  it("opens at the section about a screen", async () => {
    const { user } = renderApp("/review");
    await user.click(await screen.findByRole("link", { name: "Help on this screen" }));
    expect(await screen.findByRole("heading", { level: 2, name: "Follow reviews" })).toBeDefined();
  });

  it("is found by the palette", async () => {
    const { user } = renderApp("/review");
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("textbox", { name: "Search and commands" }), "rejection fix");
    await user.click(await screen.findByRole("button", { name: /^Fix a rejection/ }));
    expect(await screen.findByRole("heading", { level: 2, name: "Fix a rejection" })).toBeDefined();
  });
});

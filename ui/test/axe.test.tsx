import { screen, waitFor } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import { renderApp } from "./render-app";

const SCREENS = [
  "/templates",
  "/templates?view=drafts",
  "/templates?view=languages",
  "/templates?view=languages&incomplete=yes&different=yes&q=nothing",
  "/templates?status=APPROVED,PENDING&quality=%3F&sent=never&samples=no",
  "/templates?log=open",
  "/templates/5f3b8f0e-0000-4000-8000-000000000003",
  "/templates/5f3b8f0e-0000-4000-8000-000000000004?tab=history",
  "/templates/5f3b8f0e-0000-4000-8000-000000000000?tab=languages",
  "/templates/5f3b8f0e-0000-4000-8000-000000000003?tab=versions",
  "/templates/5f3b8f0e-0000-4000-8000-000000000003?tab=versions&compare=5f3b8f0e-0000-4000-8000-000000000003-1",
  "/templates/new",
  "/templates/removed",
  "/templates/import",
  "/templates/removed/gone-1",
  "/drafts/draft-1",
  "/review",
  "/review?status=REJECTED&q=loyalty",
  "/sends",
  "/sends/new?reference=5f3b8f0e-0000-4000-8000-000000000000",
  "/sends/new",
  "/sends/new?reference=5f3b8f0e-0000-4000-8000-000000000004",
  "/sends/new?mode=text",
  "/sends?state=failed",
  "/sends/send-1",
  "/sends/send-4",
  "/sends/send-6",
  "/sends/recipients",
  "/sends/recipients?q=nobody",
  "/sends/batches",
  "/sends/batches/new",
  "/sends/batches/new?reference=5f3b8f0e-0000-4000-8000-000000000000",
  "/sends/batches/batch-old",
  "/activity?event=event-1",
  "/activity?kind=status&q=turquoise&contact=447700900123",
  "/activity?compare=event-1&event=event-2",
  "/activity?view=refused&refused=refused-2",
  "/activity?view=receiver",
  "/activity?view=refused",
  "/inbox",
  "/inbox?contact=5511990001111",
  "/inbox?q=nobody&unread=only&number=108002",
  "/insights",
  "/insights?tab=messages",
  "/insights?tab=messages&by=week&range=dates&from=2026-11-01&to=2026-11-20",
  "/insights?tab=reviews",
  "/insights?tab=pricing",
  "/phone",
  "/phone?recipient=447700900123",
  "/help?page=storage-and-backup",
  "/settings",
  "/settings?section=workspace&workspace=acme",
  "/settings?section=receiver",
  "/settings?section=secrets",
  "/settings?section=storage",
  "/settings?section=support&delivery=1196",
  "/settings?section=support&refused=refused-2",
  "/settings?section=appearance",
  "/settings?section=notifications",
  "/settings?section=updates",
  "/settings?section=about",
  "/nowhere",
];

/** Screens whose menus, lists of options and popovers are opened one after the other. */
const WITH_POPUPS = [
  "/templates",
  "/templates?view=languages",
  "/templates/5f3b8f0e-0000-4000-8000-000000000000",
  "/drafts/draft-1",
  "/review",
  "/sends/new?reference=5f3b8f0e-0000-4000-8000-000000000000",
  "/sends/batches/new?reference=5f3b8f0e-0000-4000-8000-000000000000",
  "/activity",
  "/inbox",
  "/insights?tab=messages",
  "/phone",
  "/settings?section=workspace&workspace=new",
  "/settings?section=appearance",
];

/** Dialogs and drawers: the screen, and the buttons that lead to one. */
const DIALOGS: readonly { address: string; open: readonly (string | RegExp)[] }[] = [
  { address: "/settings?section=workspace&workspace=acme", open: ["Delete workspace…"] },
  { address: "/drafts/draft-1", open: [/^Submit…/] },
  { address: "/templates/5f3b8f0e-0000-4000-8000-000000000000", open: ["More actions", "Delete…"] },
  { address: "/phone", open: ["Add a phone"] },
];

/** The violations on the page, or only in what is `over` the screen in this container. */
async function violations(over?: HTMLElement) {
  const found = await axe.run(over ? [...document.body.children].filter((part) => part !== over) : document.body, {
    rules: {
      // Nothing is painted here: the window tests check contrast.
      "color-contrast": { enabled: false },
      // A menu or a list of options is placed in front of the page, outside of its landmarks.
      region: { enabled: over === undefined },
    },
  });
  return found.violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join("\n")}`,
  );
}

const isLoaded = (container: HTMLElement) =>
  waitFor(() => expect(container.querySelector('[role="status"] .mantine-Skeleton-root')).toBeNull());

describe("every screen", () => {
  it.each(SCREENS)("%s has no accessibility violations", async (address) => {
    const { container } = renderApp(address);
    const heading = await screen.findByRole("heading", { level: 1 });
    await isLoaded(container);
    expect(heading.textContent).not.toBe("Something went wrong on this screen");
    expect(await violations()).toEqual([]);
  });
});

describe("what opens over a screen", () => {
  it.each(WITH_POPUPS)("has no accessibility violations on %s", async (address) => {
    const { container, user } = renderApp(address);
    await screen.findByRole("heading", { level: 1 });
    await isLoaded(container);
    const openers = [...container.querySelectorAll<HTMLElement>("[aria-haspopup]")];
    expect(openers.length).toBeGreaterThan(0);
    for (const opener of openers.filter((element) => element.isConnected && !element.matches(":disabled"))) {
      await user.click(opener);
      expect(await violations(container)).toEqual([]);
      await user.keyboard("{Escape}");
    }
  });

  it.each(DIALOGS)("has no accessibility violations on $address, $open", async ({ address, open }) => {
    const { container, user } = renderApp(address);
    await screen.findByRole("heading", { level: 1 });
    await isLoaded(container);
    for (const name of open) {
      await user.click(
        await waitFor(() => screen.queryByRole("menuitem", { name }) ?? screen.getByRole("button", { name })),
      );
    }
    await screen.findByRole("dialog");
    expect(await violations()).toEqual([]);
  });

  it.each([
    ["palette", "{Control>}k{/Control}"],
    ["sheet of shortcuts", "?"],
  ])("has no accessibility violations in the %s", async (_, keys) => {
    const { user } = renderApp("/templates");
    await screen.findByRole("heading", { level: 1 });
    await user.keyboard(keys);
    await screen.findByRole("dialog");
    expect(await violations()).toEqual([]);
  });
});

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

describe("every screen", () => {
  it.each(SCREENS)("%s has no accessibility violations", async (address) => {
    const { container } = renderApp(address);
    const heading = await screen.findByRole("heading", { level: 1 });
    await waitFor(() => expect(container.querySelector('[role="status"] .mantine-Skeleton-root')).toBeNull());
    expect(heading.textContent).not.toBe("Something went wrong on this screen");
    const { violations } = await axe.run(document.body, {
      // Nothing is painted here: the window tests check contrast.
      rules: { "color-contrast": { enabled: false } },
    });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`)).toEqual([]);
  });
});

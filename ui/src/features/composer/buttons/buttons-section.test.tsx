import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Draft } from "@/bindings/app";

type Host = ReturnType<typeof createFakeHost>;

const buttonsOf = (host: Host) => {
  const draft = host.calls.filter(({ name }) => name === "save_draft").at(-1)?.request as Draft | undefined;
  const row = draft?.template.components.find(({ type }) => type === "BUTTONS");
  return JSON.parse(JSON.stringify((row as { buttons?: unknown })?.buttons ?? null));
};

/** The draft with these buttons. */
async function withButtons(buttons: object[]) {
  const host = createFakeHost();
  const draft = await host.call("get_draft", { draft: "draft-1" });
  const components = [{ type: "BODY", text: "Hi" }, ...(buttons.length > 0 ? [{ type: "BUTTONS", buttons }] : [])];
  await host.call("save_draft", { ...draft, template: { ...draft.template, components } } as Draft);
  const app = renderApp("/drafts/draft-1", host);
  await screen.findByRole("region", { name: "Buttons" });
  return { ...app, host };
}

const row = (name: string) => within(screen.getByRole("listitem", { name }));
const add = async (user: Awaited<ReturnType<typeof withButtons>>["user"], kind: string) => {
  await user.click(screen.getByRole("button", { name: "Add button" }));
  await user.click(await screen.findByRole("menuitem", { name: kind }));
};

describe("buttons", () => {
  it.each([
    ["Quick reply", { type: "QUICK_REPLY", text: "" }],
    ["Open a website", { type: "URL", text: "", url: "" }],
    ["Call a number", { type: "PHONE_NUMBER", text: "", phone_number: "" }],
    ["Copy a code", { type: "COPY_CODE", example: "" }],
    ["Open a form", { type: "FLOW", text: "", flow_id: "", flow_action: "navigate" }],
    ["Call on WhatsApp", { type: "VOICE_CALL", text: "" }],
    ["Ask for contact details", { type: "REQUEST_CONTACT_INFO" }],
    ["View the catalog", { type: "CATALOG", text: "View catalog" }],
    ["View several products", { type: "MPM", text: "View items" }],
    ["View one product", { type: "SPM", text: "View" }],
    ["Pay with Pix", { type: "ORDER_DETAILS", text: "Copy Pix code" }],
  ])("“%s” is offered and written", async (kind, json) => {
    const { host, user } = await withButtons([]);
    await add(user, kind);
    const item = screen.getByRole("listitem", { name: `Button 1: ${kind}` });
    await waitFor(() => expect(buttonsOf(host)).toEqual([json]));
    const field = within(item).queryAllByRole("textbox")[0] ?? within(item).getAllByRole("button")[0];
    await waitFor(() => expect(document.activeElement, "the focus goes into it").toBe(field));
  });

  it("are added up to the limit of the rules", async () => {
    const { user } = await withButtons(Array.from({ length: 9 }, (_, at) => ({ type: "QUICK_REPLY", text: `r${at}` })));
    await add(user, "Quick reply");
    expect(await screen.findByRole("listitem", { name: "Button 10: Quick reply" })).toBeDefined();
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Add button" }).getAttribute("aria-disabled")).toBe("true"),
    );
    await user.hover(screen.getByRole("button", { name: "Add button" }));
    expect(await screen.findByText("You can have up to 10 buttons.")).toBeDefined();
    await user.click(screen.getByRole("button", { name: "Remove: Button 10: Quick reply" }));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: "Add button" }).getAttribute("aria-disabled")).toBeNull(),
    );
  });

  it("keep the focus on a button that moves, and on its neighbour when one goes", async () => {
    const { host, user } = await withButtons([
      { type: "URL", text: "a", url: "https://a.example" },
      { type: "URL", text: "b", url: "https://b.example" },
    ]);
    await user.click(screen.getByRole("button", { name: "Move down: Button 1: Open a website" }));
    const down = screen.getByRole("button", { name: "Move down: Button 2: Open a website" });
    expect(document.activeElement).toBe(down);
    expect(row("Button 2: Open a website").getByRole("textbox", { name: "Button text" })).toHaveProperty("value", "a");
    await user.click(down);
    await waitFor(() => expect(buttonsOf(host)).toMatchObject([{ text: "b" }, { text: "a" }]));
    await user.click(screen.getByRole("button", { name: "Remove: Button 2: Open a website" }));
    const other = screen.getByRole("button", { name: "Remove: Button 1: Open a website" });
    await waitFor(() => expect(document.activeElement).toBe(other));
    await user.click(other);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Add button" })));
  });

  it("that open a form name it in one way, and have all that it takes", async () => {
    const { host, user } = await withButtons([{ type: "FLOW", text: "Book", flow_id: "1", flow_name: "x", later: 1 }]);
    const form = row("Button 1: Open a form");
    await user.click(form.getByRole("combobox", { name: "Identify the form by" }));
    await user.click(await screen.findByRole("option", { name: "Form name" }));
    fireEvent.change(form.getByRole("textbox", { name: "Form name" }), { target: { value: "survey" } });
    fireEvent.change(form.getByRole("textbox", { name: "First screen" }), { target: { value: "START" } });
    await user.click(form.getByRole("combobox", { name: "When tapped" }));
    await user.click(await screen.findByRole("option", { name: /navigate/ }));
    await user.click(form.getByRole("combobox", { name: "Icon" }));
    await user.click(await screen.findByRole("option", { name: "Review" }));
    await waitFor(() =>
      expect(buttonsOf(host)).toEqual([
        {
          type: "FLOW",
          text: "Book",
          flow_name: "survey",
          navigate_screen: "START",
          flow_action: "navigate",
          icon: "REVIEW",
          later: 1,
        },
      ]),
    );
  });

  it("for calls say how long they work, or leave it open", async () => {
    const { host } = await withButtons([{ type: "VOICE_CALL", text: "Call", ttl_minutes: 1440 }]);
    const minutes = row("Button 1: Call on WhatsApp").getByRole("textbox", { name: "Active for (minutes)" });
    fireEvent.change(minutes, { target: { value: "2880" } });
    await waitFor(() => expect(buttonsOf(host)).toEqual([{ type: "VOICE_CALL", text: "Call", ttl_minutes: 2880 }]));
    fireEvent.change(minutes, { target: { value: "" } });
    await waitFor(() => expect(buttonsOf(host)).toEqual([{ type: "VOICE_CALL", text: "Call" }]));
  });

  it("of types that cannot be composed are readable and kept", async () => {
    const others = [
      { type: "HOLOGRAM", depth: 3 },
      { type: "OTP", otp_type: "COPY_CODE" },
    ];
    const { host, user } = await withButtons(others);
    expect(row("Button 1: HOLOGRAM").getByText("Kept and submitted unchanged.")).toBeDefined();
    expect(row("Button 2: One-time code").getByText(/COPY_CODE/)).toBeDefined();
    await add(user, "Quick reply");
    await waitFor(() => expect(buttonsOf(host)).toEqual([...others, { type: "QUICK_REPLY", text: "" }]));
  });
});

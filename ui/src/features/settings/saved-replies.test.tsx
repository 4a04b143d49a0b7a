import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

const REPLIES = "/settings?section=replies";

const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

describe("saved replies in the settings", () => {
  it("are added with fields, changed, and deleted with a way back", async () => {
    const { user } = renderApp(REPLIES);
    await user.click(await screen.findByRole("button", { name: "Add a saved reply" }));
    const form = await dialog("Add a saved reply");
    const text = form.getByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ });
    expect(form.getByRole("button", { name: "Save" }).hasAttribute("disabled")).toBe(true);
    await user.type(form.getByRole("textbox", { name: /^Name/ }), "Thanks");
    await user.type(text, "Hi !");
    text.setSelectionRange(3, 3);
    await user.click(form.getByRole("button", { name: "First name" }));
    expect(text.value).toBe("Hi {{firstName}}!");
    await user.click(form.getByRole("button", { name: "Save" }));
    await user.click(await screen.findByRole("button", { name: "Edit Thanks" }));
    const changed = await dialog("Edit saved reply");
    expect(changed.getByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ }).value).toBe("Hi {{firstName}}!");
    await user.click(changed.getByRole("button", { name: "Cancel" }));
    await user.click(await screen.findByRole("button", { name: "Delete Thanks" }));
    await waitFor(() => expect(screen.queryByRole("button", { name: "Edit Thanks" })).toBeNull());
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(await screen.findByRole("button", { name: "Edit Thanks" })).toBeTruthy();
  });

  it("take the shown name of a field as the field", async () => {
    const { host, user } = renderApp(REPLIES);
    await user.click(await screen.findByRole("button", { name: "Add a saved reply" }));
    const form = await dialog("Add a saved reply");
    await user.type(form.getByRole("textbox", { name: /^Name/ }), "Thanks");
    await user.click(form.getByRole("textbox", { name: /^Text/ }));
    await user.paste("Hi {{ first NAME }} of {{order}}, {{FirstName}}");
    await user.click(form.getByRole("button", { name: "Save" }));
    await screen.findByRole("button", { name: "Edit Thanks" });
    expect(host.calls.find(({ name }) => name === "save_saved_reply")?.request).toMatchObject({
      text: "Hi {{firstName}} of {{order}}, {{firstName}}",
    });
  });

  it("keep what was typed when the host refuses it, with the reason at its field", async () => {
    const host = createFakeHost({ templates: 40 });
    host.answer("save_saved_reply", () =>
      refusal({ code: "invalidInput", field: "name", message: "Taken.", fault: { kind: "nameTaken" } }),
    );
    const { user } = renderApp(REPLIES, host);
    await user.click(await screen.findByRole("button", { name: "Add a saved reply" }));
    const form = await dialog("Add a saved reply");
    await user.type(form.getByRole("textbox", { name: /^Name/ }), "Order");
    await user.type(form.getByRole("textbox", { name: /^Text/ }), "x");
    await user.click(form.getByRole("button", { name: "Save" }));
    expect(await form.findByText("Another entry has this name. Choose another name.")).toBeTruthy();
    expect(form.getByRole<HTMLInputElement>("textbox", { name: /^Name/ }).value).toBe("Order");
  });

  it("are not kept with a field that is half written", async () => {
    const host = createFakeHost({ templates: 40 });
    const message = "“{{key” is not a complete field.";
    host.answer("save_saved_reply", () =>
      refusal({ code: "invalidInput", field: "text", message, problem: "text.braces" }),
    );
    const { user } = renderApp(REPLIES, host);
    await user.click(await screen.findByRole("button", { name: "Add a saved reply" }));
    const form = await dialog("Add a saved reply");
    await user.type(form.getByRole("textbox", { name: /^Name/ }), "Key");
    await user.click(form.getByRole("textbox", { name: /^Text/ }));
    await user.paste("Key {{key");
    await user.click(form.getByRole("button", { name: "Save" }));
    const fault = "A field begins with {{ and ends with }}, and one of them is missing.";
    expect(await form.findByText(new RegExp(`^${fault}`))).toBeTruthy();
    expect(form.getByRole<HTMLTextAreaElement>("textbox", { name: /^Text/ }).value).toBe("Key {{key");
  });
});

import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Draft } from "@/bindings/app";

async function newDraft() {
  const host = createFakeHost({ templates: 40 });
  const draft = await host.call("create_draft", { workspace: "sandbox", edit: false });
  const app = renderApp(`/drafts/${draft.id}`, host);
  const name = await screen.findByRole<HTMLInputElement>("textbox", { name: /Name/ });
  const stored = () => host.calls.filter((call) => call.name === "save_draft").at(-1)?.request as Draft | undefined;
  const isDeleted = () => host.calls.some((call) => call.name === "delete_draft");
  return { ...app, host, name, stored, isDeleted };
}

describe("a new template", () => {
  it("begins with its name", async () => {
    const { name } = await newDraft();
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it("leaves nothing behind when nothing was entered", async () => {
    const { user, isDeleted } = await newDraft();
    await user.click(screen.getByRole("button", { name: "Back" }));
    await waitFor(() => expect(isDeleted()).toBe(true));
  });

  it("is kept once something was entered", async () => {
    const { user, name, stored, isDeleted } = await newDraft();
    fireEvent.change(name, { target: { value: "kept" } });
    await user.click(screen.getByRole("button", { name: "Back" }));
    await waitFor(() => expect(stored()?.template.name).toBe("kept"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(isDeleted()).toBe(false);
  });

  it("writes a pasted name as the rules want it", async () => {
    const { user, name } = await newDraft();
    await user.click(name);
    await user.paste("Spring Sale!");
    await waitFor(() => expect(name.value).toBe("spring_sale"));
  });

  it("writes a typed name as the rules want it when the person goes on", async () => {
    const { user, name } = await newDraft();
    await user.click(name);
    await user.keyboard("Promoção de verão");
    expect(name.value).toBe("Promoção de verão");
    await user.tab();
    await waitFor(() => expect(name.value).toBe("promocao_de_verao"));
  });

  it("offers the languages in use first, and the sending API under Advanced", async () => {
    const { user } = await newDraft();
    const language = screen.getByRole("combobox", { name: /^Language/ });
    await waitFor(async () => {
      await user.click(language);
      expect(screen.getByText("Used in this workspace")).toBeDefined();
    });
    const [first] = within(screen.getByRole("listbox", { name: /^Language/ })).getAllByRole("option");
    expect(first?.textContent).not.toMatch(/^Afrikaans/);
    expect(screen.getByText("Sending API").closest("details")?.querySelector("summary")?.textContent).toBe("Advanced");
  });

  it("takes the first language that fits with Enter", async () => {
    const { user } = await newDraft();
    const language = screen.getByRole<HTMLInputElement>("combobox", { name: /^Language/ });
    await user.click(language);
    await user.clear(language);
    await user.type(language, "portug");
    await screen.findAllByRole("option", { name: /^Portuguese/ });
    await user.keyboard("{Enter}");
    await waitFor(() => expect(language.value).toMatch(/^Portuguese/));
  });

  it("counts on Submit what must be corrected", async () => {
    await newDraft();
    const submit = screen.getByRole("button", { name: "Submit…" });
    await waitFor(() => expect(submit.textContent).toMatch(/\d/));
    expect(document.getElementById(submit.getAttribute("aria-describedby") ?? "")?.textContent).toMatch(
      /problems? to fix first/,
    );
  });

  it("says in its head which account it is for, and keeps what was typed when that changes", async () => {
    const { user, name, stored } = await newDraft();
    await user.type(name, "for_the_clinic");
    await user.click(await screen.findByRole("button", { name: /^Account: / }));
    const choice = within(await screen.findByRole("dialog")).getAllByRole<HTMLInputElement>("checkbox");
    expect(choice.map(({ checked }) => checked)).toEqual([true, false]);
    await user.click(choice[0] as HTMLElement);
    await screen.findByRole("button", { name: "Choose an account" });
    await user.click(choice[1] as HTMLElement);
    await waitFor(() => expect(stored()?.wabaIds).toEqual(["102290129340411"]));
    expect(stored()?.template.name).toBe("for_the_clinic");
  });
});

import { createFakeHost } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { inspect } from "@test/rules";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { describe, expect, it } from "vitest";
import type { Draft } from "@/bindings/app";
import type { Finding } from "@/bindings/model";

type User = ReturnType<typeof renderApp>["user"];

async function withCarousel(host = createFakeHost()) {
  const app = renderApp("/drafts/draft-1", host);
  await app.user.click(await screen.findByRole("button", { name: "Add carousel" }));
  await screen.findByRole("group", { name: "Card 1" });
  return { ...app, host };
}

const openCard = async (user: User, number: number) => {
  await user.click(screen.getByRole("tab", { name: `Card ${number}` }));
  return within(screen.getByRole("group", { name: `Card ${number}` }));
};
const tabs = () => screen.getAllByRole("tab").filter((tab) => tab.getAttribute("aria-label")?.startsWith("Card "));
const saved = (host: ReturnType<typeof createFakeHost>) =>
  host.calls.filter(({ name }) => name === "save_draft").at(-1)?.request as Draft | undefined;
const cardsIn = (draft: Draft | undefined) => {
  const carousel = draft?.template.components.find((component) => component.type === "CAROUSEL");
  return JSON.parse(JSON.stringify(carousel?.cards ?? [])) as { components: Record<string, never>[] }[];
};
const buttonsIn = (draft: Draft | undefined) => cardsIn(draft).map(({ components }) => components.at(-1)?.buttons);
const write = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } });

describe("the carousel", () => {
  it("takes the focus to its first field when it is added", async () => {
    await withCarousel();
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("combobox", { name: "Header of all cards" })),
    );
  });

  it("is added without changing the message", async () => {
    const { host, user } = await withCarousel();
    expect(tabs()).toHaveLength(2);
    await waitFor(() => expect(cardsIn(saved(host))).toHaveLength(2));
    expect(saved(host)?.template.components.map(({ type }) => type)).toEqual([
      "HEADER",
      "BODY",
      "FOOTER",
      "BUTTONS",
      "CAROUSEL",
    ]);
    await user.click(screen.getByRole("button", { name: "Remove carousel" }));
    expect(screen.queryByRole("tab", { name: "Card 1" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(tabs()).toHaveLength(2);
  });

  it("opens one card at a time, also by the arrow keys", async () => {
    const { user } = await withCarousel();
    await user.click(screen.getByRole("button", { name: "Add card" }));
    expect(screen.getByRole("tab", { name: "Card 3" }).getAttribute("aria-selected")).toBe("true");
    expect(screen.queryByRole("group", { name: "Card 1" })).toBeNull();
    screen.getByRole("tab", { name: "Card 3" }).focus();
    await user.keyboard("{Home}{ArrowRight}");
    expect(document.activeElement).toBe(screen.getByRole("tab", { name: "Card 2" }));
    expect(screen.getByRole("group", { name: "Card 2" })).toBeDefined();
    // The message has a field of its own.
    expect(screen.getAllByRole("textbox", { name: "Body text" })).toHaveLength(2);
  });

  it("moves, duplicates and removes cards with their texts and files", async () => {
    const { host, user } = await withCarousel();
    let card = await openCard(user, 1);
    write(card.getByRole("textbox", { name: "Body text" }), "one");
    await user.click(card.getByRole("button", { name: "Choose a file…" }));
    expect(await card.findByText("summer.jpg")).toBeDefined();
    const right = card.getByRole("button", { name: "Move card 1 right" });
    await user.click(right);
    card = within(screen.getByRole("group", { name: "Card 2" }));
    expect(card.getByText("summer.jpg")).toBeDefined();
    const stay = card.getByRole("button", { name: "Move card 2 right" });
    expect(document.activeElement, "the focus stays where it was").toBe(stay);
    expect(stay.getAttribute("aria-disabled")).toBe("true");
    await user.click(card.getByRole("button", { name: "Duplicate card 2" }));
    await user.click(
      within(screen.getByRole("group", { name: "Card 3" })).getByRole("button", { name: "Move card 3 left" }),
    );
    await openCard(user, 1);
    await user.click(screen.getByRole("button", { name: "Remove card 1" }));
    await waitFor(() => {
      expect(cardsIn(saved(host)).map(({ components }) => components[1]?.text)).toEqual(["one", "one"]);
      expect(saved(host)?.cardFiles.map((file) => file?.name)).toEqual(["summer.jpg", "summer.jpg"]);
    });
  });

  it("keeps the buttons of alike cards in step, labels as long as they are wanted the same", async () => {
    const { host, user } = await withCarousel();
    let card = await openCard(user, 2);
    write(card.getByRole("textbox", { name: "Button text" }), "Yes");
    await waitFor(() => expect(buttonsIn(saved(host))).toMatchObject([[{ text: "Yes" }], [{ text: "Yes" }]]));
    await user.click(card.getByRole("switch", { name: "Same button texts and addresses on all cards" }));
    write(card.getByRole("textbox", { name: "Button text" }), "No");
    await user.click(card.getByRole("button", { name: "Add button" }));
    expect(await screen.findAllByRole("menuitem")).toHaveLength(3);
    await user.click(screen.getByRole("menuitem", { name: "Open a website" }));
    await waitFor(() =>
      expect(buttonsIn(saved(host))).toMatchObject([
        [{ text: "Yes" }, { type: "URL" }],
        [{ text: "No" }, { type: "URL" }],
      ]),
    );
    // By chance alike again, they still are not written together.
    write(card.getAllByRole("textbox", { name: "Button text" })[0] as HTMLElement, "Yes");
    expect(card.getByRole("switch", { name: /Same button texts/ })).toHaveProperty("checked", false);
    card = await openCard(user, 1);
    write(card.getAllByRole("textbox", { name: "Button text" })[0] as HTMLElement, "Sure");
    await user.click(card.getByRole("switch", { name: /Same button texts/ }));
    await waitFor(() =>
      expect(buttonsIn(saved(host))).toMatchObject([
        [{ text: "Sure" }, {}],
        [{ text: "Sure" }, {}],
      ]),
    );
  });

  it("gives unlike cards the buttons of one", async () => {
    const host = createFakeHost();
    const draft = await host.call("get_draft", { draft: "draft-1" });
    const components = (buttons: object[]) => [
      { type: "HEADER", format: "IMAGE" },
      { type: "BUTTONS", buttons },
    ];
    const cards = [
      { components: components([{ type: "QUICK_REPLY", text: "Yes" }]) },
      { components: components([{ type: "URL", text: "Go", url: "https://x.example" }]) },
    ];
    const template = {
      ...draft.template,
      components: [
        { type: "BODY", text: "Hi" },
        { type: "CAROUSEL", cards },
      ],
    };
    await host.call("save_draft", { ...draft, template } as Draft);
    const { user } = renderApp("/drafts/draft-1", host);
    await screen.findByRole("tab", { name: "Card 2" });
    const card = await openCard(user, 2);
    expect(card.queryByRole("switch", { name: /Same button texts/ })).toBeNull();
    expect(card.queryByRole("textbox", { name: "Body text" })).toBeNull();
    await user.click(card.getByRole("button", { name: "Use this card's buttons on all cards" }));
    await waitFor(() =>
      expect(buttonsIn(saved(host)).map((it) => (it as { text: string }[] | undefined)?.[0]?.text)).toEqual([
        "Go",
        "Go",
      ]),
    );
    await user.click(screen.getByRole("switch", { name: "Text on all cards" }));
    await waitFor(() => expect(cardsIn(saved(host)).every(({ components: it }) => it[1]?.text === "")).toBe(true));
  });

  it("takes dropped files from the open card on", async () => {
    const { host } = await withCarousel();
    fireEvent.click(screen.getByRole("button", { name: "Add card" }));
    fireEvent.click(screen.getByRole("tab", { name: "Card 2" }));
    const format = screen.getByRole("combobox", { name: "Header type" });
    fireEvent.click(format);
    fireEvent.click(await screen.findByRole("option", { name: "None" }));
    host.drop({ state: "dropped", paths: ["/p/a.png", "/p/b.png"] });
    await waitFor(() =>
      expect(saved(host)?.cardFiles.map((file) => file?.name)).toEqual([undefined, "a.png", "b.png"]),
    );
  });

  it("marks cards with errors, and takes no card more than the rules allow", async () => {
    const host = createFakeHost();
    const finding = (code: string, path: string, values = {}): Finding => ({
      code,
      path,
      values,
      severity: "error",
      message: code,
      source: "",
      fixable: false,
    });
    host.answer("inspect_template", async (request) => ({
      ...(await inspect(request)),
      findings: [
        finding("card.body", "/components/4/cards/1/components/1/text"),
        finding("carousel.card_count", "/components/4/cards", { count: "2", min: "2", max: "2" }),
      ],
    }));
    const { user } = await withCarousel(host);
    await waitFor(() => expect(screen.getByRole("button", { name: "Add card" })).toHaveProperty("disabled", true));
    const described = () =>
      (screen.getByRole("tab", { name: "Card 2" }).getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((id) => document.getElementById(id)?.getAttribute("aria-label"))
        .filter(Boolean);
    expect(described()).toEqual([]);
    const card = await openCard(user, 2);
    await user.click(card.getByRole("textbox", { name: "Body text" }));
    await user.tab();
    expect(described()).toEqual(["Has problems"]);
  });

  it("can be read by assistive tools", async () => {
    await withCarousel();
    const { violations } = await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } });
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("\n")}`)).toEqual([]);
  });
});

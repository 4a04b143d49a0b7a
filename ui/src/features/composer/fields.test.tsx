import { createFakeHost, refusal } from "@test/fake-host";
import { renderApp } from "@test/render-app";
import { inspect } from "@test/rules";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import axe from "axe-core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Component, Finding, Template } from "@/bindings/model";

const bodyText = () => screen.findByRole<HTMLTextAreaElement>("textbox", { name: "Body text" });
const input = (name: string | RegExp) => screen.getByRole<HTMLInputElement>("textbox", { name });
type Host = ReturnType<typeof createFakeHost>;
const requests = (host: Host, command: string) =>
  host.calls.filter(({ name }) => name === command).map(({ request }) => request);
const saved = (host: Host) => requests(host, "save_draft").at(-1) as { template: Template } | undefined;

const withBody = (template: Template, change: object): Template => ({
  ...template,
  components: template.components.map((it) => (it.type === "BODY" ? ({ ...it, ...change } as Component) : it)),
});

/** Opens a draft whose template is `change`d. */
function open(change: (template: Template) => Template = (it) => it, host = createFakeHost()) {
  const original = host.call.bind(host);
  host.call = async (name, request) => {
    const answer = await original(name, request);
    if (name !== "get_draft") return answer;
    const draft = answer as unknown as { template: Template };
    return { ...draft, template: change(draft.template) } as unknown as typeof answer;
  };
  return renderApp("/drafts/draft-1", host);
}

it("links a name that is in use to the template and the draft that have it", async () => {
  const host = createFakeHost();
  const at = { path: "/name", source: "", fixable: false };
  const findings: Finding[] = [
    { ...at, code: "name.taken", severity: "error", message: "It exists.", values: { reference: "uuid-1" } },
    { ...at, code: "name.drafted", severity: "hint", message: "It is a draft.", values: { draft: "draft-9" } },
  ];
  host.answer("check_name", () => findings);
  open(undefined, host);
  const [template] = await screen.findAllByRole("link", { name: "Show the template" });
  expect(template?.getAttribute("href")).toContain("/templates/uuid-1");
  expect(screen.getAllByRole("link", { name: "Show the draft" })[0]?.getAttribute("href")).toContain("/drafts/draft-9");
  expect(screen.getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid")).toBe("true");
  expect(requests(host, "check_name").at(-1)).toMatchObject({ draft: "draft-1", workspace: "sandbox" });
});

it("takes a text of the original for translated when the person says so", async () => {
  const host = createFakeHost();
  const original = host.call.bind(host);
  host.call = async (name, request) => {
    const answer = await original(name, request);
    if (name !== "get_draft") return answer;
    const draft = answer as unknown as { template: Template };
    return { ...draft, translates: { ...draft.template, language: "fr" } } as unknown as typeof answer;
  };
  const { user } = renderApp("/drafts/draft-1", host);
  const body = await bodyText();
  await user.click((await screen.findAllByRole("button", { name: "It's right" }))[0] as HTMLElement);
  await waitFor(() => expect(requests(host, "inspect_template").at(-1)).toMatchObject({ keptTexts: [body.value] }));
});

describe("findings", () => {
  const finding = (severity: Finding["severity"], path: string, message: string, fixable = false): Finding => ({
    code: `test.${severity}`,
    severity,
    path,
    message,
    values: {},
    source: "",
    fixable,
  });
  let host: Host;
  beforeEach(() => {
    host = createFakeHost();
    host.answer("inspect_template", async (request) => ({
      ...(await inspect(request)),
      findings: [
        finding("hint", "/language", "A hint."),
        finding("warning", "/components/1/text", "Tabs are bad.", true),
        finding("error", "/category", "An error."),
      ],
    }));
  });

  it("are in the list, heaviest first, and at their field", async () => {
    renderApp("/drafts/draft-1", host);
    await bodyText();
    const list = await screen.findByRole("list", { name: "Checks" });
    expect(
      within(list)
        .getAllByRole("listitem")
        .map((it) => it.textContent),
    ).toEqual(["CategoryAn error.", "BodyTabs are bad.Fix", "LanguageA hint."]);
    const notes = (await bodyText()).getAttribute("aria-describedby")?.split(" ") ?? [];
    expect(notes.map((id) => document.getElementById(id)?.textContent).join()).toContain("Tabs are bad.");
  });

  it("are corrected by their rule, in the list and at the field, as one step", async () => {
    host.answer("rewrite_template", ({ template }) => withBody(template, { text: "Corrected" }));
    const { user } = renderApp("/drafts/draft-1", host);
    const body = await bodyText();
    const before = body.value;
    const [atField, inList] = await screen.findAllByRole("button", { name: "Fix problem 2" });
    expect(inList).toBeDefined();
    await user.click(atField as HTMLElement);
    await waitFor(() => expect(body.value).toBe("Corrected"));
    expect(document.activeElement, "the field keeps the keyboard").toBe(body);
    expect(requests(host, "rewrite_template")).toMatchObject([
      { rewrite: { kind: "fix", code: "test.warning", path: "/components/1/text" } },
    ]);
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect(body.value).toBe(before);
    expect(screen.getByRole("button", { name: "Undo" })).toHaveProperty("disabled", true);
  });

  it("leave the keyboard at the next one after a correction in the list", async () => {
    const answers = [
      finding("error", "/components/1/text", "Tabs are bad.", true),
      finding("hint", "/name", "A hint."),
    ];
    let isFixed = false;
    host.answer("inspect_template", async (request) => ({
      ...(await inspect(request)),
      findings: isFixed ? answers.slice(1) : answers,
    }));
    host.answer("rewrite_template", ({ template }) => {
      isFixed = true;
      return withBody(template, { text: "Corrected" });
    });
    const { user } = renderApp("/drafts/draft-1", host);
    await bodyText();
    const fix = (await screen.findAllByRole("button", { name: "Fix problem 1" }))[1] as HTMLElement;
    fix.focus();
    await user.keyboard("{Enter}");
    await waitFor(() => expect(screen.queryByText("Tabs are bad.")).toBeNull());
    const rest = screen.getByRole("button", { name: /A hint\./ });
    await waitFor(() => expect(document.activeElement).toBe(rest));
  });

  it("never overwrite what was typed meanwhile", async () => {
    let answer: (template: Template) => void = () => undefined;
    host.answer("rewrite_template", () => new Promise((resolve) => (answer = resolve)));
    const { user } = renderApp("/drafts/draft-1", host);
    const body = await bodyText();
    await user.click((await screen.findAllByRole("button", { name: "Fix problem 2" }))[1] as HTMLElement);
    fireEvent.change(body, { target: { value: "typed meanwhile" } });
    const asked = requests(host, "rewrite_template")[0] as { template: Template };
    answer(withBody(asked.template, { text: "Corrected" }));
    await waitFor(() => expect(saved(host)?.template.components[1]).toMatchObject({ text: "typed meanwhile" }));
    expect(body.value).toBe("typed meanwhile");
  });

  it("say why a rule could not correct them", async () => {
    host.answer("rewrite_template", () =>
      refusal({ code: "invalidInput", field: "code", message: "Correct it by hand." }),
    );
    const { user } = renderApp("/drafts/draft-1", host);
    await user.click((await screen.findAllByRole("button", { name: "Fix problem 2" }))[0] as HTMLElement);
    expect(await screen.findByText(/Correct it by hand\./)).toBeDefined();
  });

  it("warn near the limit of a text, and turn beyond it", async () => {
    host.answer("inspect_template", async (request) => {
      const used = request.template.components.find((it) => it.type === "BODY")?.text?.length ?? 0;
      return { ...(await inspect(request)), counters: [{ path: "/components/1/text", used, limit: 10 }] };
    });
    renderApp("/drafts/draft-1", host);
    const body = await bodyText();
    const counter = async (used: number) => (await screen.findByLabelText(`${used} of 10 characters`)).dataset;
    fireEvent.change(body, { target: { value: "12345678" } });
    expect(await counter(8)).toEqual({});
    fireEvent.change(body, { target: { value: "1234567890" } });
    expect(await counter(10)).toEqual({ near: "true" });
    fireEvent.change(body, { target: { value: "12345678901" } });
    expect(await counter(11)).toEqual({ over: "true" });
  });
});

describe("variables", () => {
  it("are listed in one table; a sample edited there changes everywhere", async () => {
    const { host, user } = open();
    await bodyText();
    const table = await screen.findByRole("table");
    expect(within(table).getAllByText("body")).toHaveLength(2);
    const sample = input("Sample for {{1}} in the table: body");
    expect(sample.value).toBe("Maria");
    await user.clear(sample);
    await user.type(sample, "Ana");
    expect(input("Sample for {{1}}").value).toBe("Ana");
    await waitFor(() =>
      expect(saved(host)?.template.components[1]).toMatchObject({ example: { body_text: [["Ana", "40%"]] } }),
    );
  });

  it("are renamed with Enter; an error is shown at the field; Escape restores the name", async () => {
    const { host, user } = open();
    await bodyText();
    host.answer("rewrite_template", () => refusal({ code: "invalidInput", field: "to", message: "Taken already." }));
    const name = await screen.findByRole<HTMLInputElement>("textbox", { name: "Rename {{1}}: body" });
    await user.clear(name);
    await user.type(name, "2{Enter}");
    expect(await screen.findByText("Taken already.")).toBeDefined();
    expect(name.getAttribute("aria-invalid")).toBe("true");
    await user.keyboard("{Escape}");
    expect(name.value).toBe("1");
    host.answer("rewrite_template", ({ template }) => withBody(template, { text: "Hello {{7}}, good day" }));
    await user.clear(name);
    await user.type(name, "7{Enter}");
    await waitFor(() => expect(input("Body text").value).toBe("Hello {{7}}, good day"));
    expect(requests(host, "rewrite_template").at(-1)).toMatchObject({
      rewrite: { kind: "rename", path: "/components/1/text", from: "1", to: "7" },
    });
  });

  it("with gaps can be renumbered, and switched between numbers and names", async () => {
    const { host, user } = open();
    fireEvent.change(await bodyText(), { target: { value: "From {{2}} to {{5}}, always" } });
    await user.click(await screen.findByRole("button", { name: "Renumber" }));
    await user.click(screen.getByRole("radio", { name: "Names" }));
    await waitFor(() =>
      expect(requests(host, "rewrite_template")).toMatchObject([
        { rewrite: { kind: "renumber", path: "/components/1/text" } },
        { rewrite: { kind: "format", format: "NAMED" } },
      ]),
    );
  });

  it("are shown on the phone with other values", async () => {
    const { host, user } = open();
    await bodyText();
    await user.click(await screen.findByRole("combobox", { name: "Values in the preview" }));
    await user.click(await screen.findByRole("option", { name: "Right to left" }));
    await waitFor(() => expect(requests(host, "inspect_template").at(-1)).toMatchObject({ samples: "rightToLeft" }));
  });

  it("are written again at the caret by their chip", async () => {
    const { user } = open();
    const body = await bodyText();
    fireEvent.change(body, { target: { value: "Hi {{1}}, bye " } });
    body.setSelectionRange(14, 14);
    await user.click(screen.getByRole("button", { name: "Insert {{1}}" }));
    await waitFor(() => expect(body.value).toBe("Hi {{1}}, bye {{1}}"));
  });
});

it("an emoji is found by its name and written at the caret; it can be undone", async () => {
  const { user } = open();
  const body = await bodyText();
  fireEvent.change(body, { target: { value: "Go!" } });
  body.setSelectionRange(2, 2);
  await user.click(screen.getByRole("button", { name: "Emoji" }));
  const search = await screen.findByRole("searchbox", { name: "Search emoji" });
  expect(document.activeElement).toBe(search);
  // In any language of the app, since templates are written in others than the window's.
  await user.type(search, "foguete");
  expect(await screen.findByRole("gridcell", { name: "rocket" })).toBeDefined();
  await user.clear(search);
  await user.type(search, "rocket");
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("rocket");
  await user.keyboard("{Enter}");
  await waitFor(() => expect(body.value).toBe("Go🚀!"));
  expect(JSON.parse(localStorage.getItem("composer.recentEmoji") ?? "")).toEqual(["🚀"]);
  fireEvent.keyDown(body, { key: "z", ctrlKey: true });
  expect(body.value).not.toContain("🚀");
});

describe("files", () => {
  it("used before are offered again", async () => {
    const { host, user } = open();
    await bodyText();
    await user.click(screen.getByRole("button", { name: "Recent files" }));
    await user.click(await screen.findByRole("menuitem", { name: /summer\.jpg/ }));
    expect(await screen.findByText(/178 kB · image/)).toBeDefined();
    expect(requests(host, "list_recent_files")).toEqual([{ format: "IMAGE" }]);
    await waitFor(() => expect(saved(host)).toMatchObject({ headerFile: { name: "summer.jpg" } }));
  });

  it("dropped go to the open card where the message has no file of its own", async () => {
    const card = { components: [{ type: "BODY", text: "Card" }] };
    const { host } = open((template) => ({
      ...template,
      components: [
        { type: "BODY", text: "Look" },
        { type: "CAROUSEL", cards: [card, card] },
      ] as Component[],
    }));
    await screen.findAllByRole("textbox", { name: "Body text" });
    host.drop({ state: "dropped", paths: ["/pictures/leaf.png"] });
    await waitFor(() =>
      expect(saved(host)).toMatchObject({ headerFile: null, cardFiles: [{ name: "leaf.png" }, null] }),
    );
    const carousel = saved(host)?.template.components[1] as { cards: unknown[] } | undefined;
    const first = carousel?.cards[0];
    expect(first).toMatchObject({
      components: [
        { type: "HEADER", format: "IMAGE" },
        { type: "BODY", text: "Card" },
      ],
    });
  });
});

describe("an authentication template", () => {
  const choose = async (user: ReturnType<typeof open>["user"], category: string) => {
    await user.click(screen.getByRole("combobox", { name: /Category/ }));
    await user.click(await screen.findByRole("option", { name: category }));
  };

  it("has fields of its own; going back loses nothing", async () => {
    const { host, user } = open((template) => ({
      ...template,
      components: template.components.filter((it) => it.type !== "HEADER"),
    }));
    const before = (await bodyText()).value;
    await choose(user, "Authentication");
    expect(screen.queryByRole("textbox", { name: "Body text" })).toBeNull();
    await user.click(screen.getByRole("checkbox", { name: /security recommendation/ }));
    await user.type(screen.getByRole("textbox", { name: /Code expires/ }), "5");
    await user.click(screen.getByRole("combobox", { name: /Code delivery/ }));
    await user.click(await screen.findByRole("option", { name: "Zero-tap autofill" }));
    await user.click(screen.getByRole("button", { name: "Add app" }));
    await user.type(input("Package name"), "com.example");
    await user.type(input("Signature hash"), "K8a/AINcGX7");
    await user.click(screen.getByRole("checkbox", { name: /zero-tap terms/ }));
    const otp = {
      type: "OTP",
      otp_type: "ZERO_TAP",
      supported_apps: [{ package_name: "com.example", signature_hash: "K8a/AINcGX7" }],
      zero_tap_terms_accepted: true,
    };
    await waitFor(() =>
      expect(saved(host)?.template.components).toEqual([
        { type: "BODY", add_security_recommendation: false },
        { type: "FOOTER", code_expiration_minutes: 5 },
        { type: "BUTTONS", buttons: [otp] },
      ]),
    );
    await choose(user, "Utility");
    expect((await bodyText()).value).toBe(before);
    await choose(user, "Authentication");
    expect(input("Package name").value).toBe("com.example");
  });

  it("comes back as it was by undo", async () => {
    const { user } = open();
    const before = (await bodyText()).value;
    await choose(user, "Authentication");
    await user.click(screen.getByRole("button", { name: "Undo" }));
    expect((await bodyText()).value).toBe(before);
  });
});

it("a limited-time offer is switched on with its heading, and off again", async () => {
  const { host, user } = open((template) => ({
    ...template,
    components: template.components.filter((it) => it.type !== "FOOTER"),
  }));
  await bodyText();
  expect(screen.getByRole("textbox", { name: "Footer text" })).toBeDefined();
  await user.click(screen.getByRole("switch", { name: "Limited-time offer" }));
  await user.type(screen.getByRole("textbox", { name: /Offer heading/ }), "Soon over");
  // An offer has no footer.
  expect(screen.queryByRole("textbox", { name: "Footer text" })).toBeNull();
  await waitFor(() =>
    expect(saved(host)?.template.components[1]).toEqual({
      type: "LIMITED_TIME_OFFER",
      limited_time_offer: { text: "Soon over", has_expiration: true },
    }),
  );
  await user.click(screen.getByRole("switch", { name: "Limited-time offer" }));
  await waitFor(() =>
    expect(saved(host)?.template.components.map(({ type }) => type)).not.toContain("LIMITED_TIME_OFFER"),
  );
});

it("the lifetime of a message is written in units, stored in seconds", async () => {
  const { host, user } = open((template) => ({ ...template, message_send_ttl_seconds: 43_200 }));
  await bodyText();
  const lifetime = input(/Time to live/);
  expect(lifetime.value).toBe("12");
  await user.clear(lifetime);
  await user.type(lifetime, "-1");
  await waitFor(() => expect(saved(host)?.template.message_send_ttl_seconds).toBe(-1));
  await user.clear(lifetime);
  await user.type(lifetime, "30");
  await user.click(screen.getByRole("combobox", { name: "Time unit" }));
  await user.click(await screen.findByRole("option", { name: "days" }));
  await waitFor(() => expect(saved(host)?.template.message_send_ttl_seconds).toBe(30 * 86_400));
  await user.type(input("Subcategory"), "ORDER_STATUS");
  await waitFor(() => expect(saved(host)?.template.sub_category).toBe("ORDER_STATUS"));
});

it("a finding in what is folded away opens it and goes to its field", async () => {
  const host = createFakeHost();
  host.answer("inspect_template", async (request) => ({
    ...(await inspect(request)),
    findings: [
      {
        code: "test",
        severity: "error",
        path: "/message_send_ttl_seconds",
        message: "Too long a life.",
        values: {},
        source: "",
        fixable: false,
      },
    ],
  }));
  const { user } = renderApp("/drafts/draft-1", host);
  const lifetime = await screen.findByLabelText<HTMLInputElement>(/Time to live/);
  expect(lifetime.closest("details")?.open).toBe(false);
  await user.click(await screen.findByRole("button", { name: /Too long a life/ }));
  await waitFor(() => expect(document.activeElement).toBe(lifetime));
  expect(lifetime.closest("details")?.open).toBe(true);
});

it("the emoji and the fields of a one-time code can be read by assistive tools", async () => {
  const violations = async () =>
    (await axe.run(document.body, { rules: { "color-contrast": { enabled: false } } })).violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join()}`,
    );
  const { user } = open((template) => ({ ...template, category: "marketing" }));
  await bodyText();
  await user.click(screen.getByRole("button", { name: "Emoji" }));
  await screen.findByRole("grid", { name: "Emoji" });
  expect(await violations()).toEqual([]);
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("combobox", { name: /Category/ }));
  await user.click(await screen.findByRole("option", { name: "Authentication" }));
  await user.click(screen.getByRole("combobox", { name: /Code delivery/ }));
  await user.click(await screen.findByRole("option", { name: "One-tap autofill" }));
  await user.click(screen.getByRole("button", { name: "Add app" }));
  expect(await violations()).toEqual([]);
});

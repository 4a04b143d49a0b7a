import { MantineProvider, Modal } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, render, renderHook, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Finding, Template } from "@/bindings/model";
import { showLanguage } from "@/lib/i18n/i18n";
import { usePlaceText } from "./finding-place";
import { FindingList, useFindingText } from "./findings";

const finding = (code: string, values: Record<string, string>): Finding => ({
  code,
  severity: "error",
  path: "/components/0/text",
  message: "The rule's own words about {{1}}.",
  values,
  fixable: false,
  source: "contract §2.2",
});
const sentence = (it: Finding) => renderHook(() => useFindingText()).result.current(it);

function NamedList({ findings, template }: { findings: Finding[]; template: Template }) {
  const placeText = usePlaceText();
  const nameOf = (place: string) => placeText(place, template);
  return <FindingList findings={findings} label="Checks" nameOf={nameOf} onJump={() => undefined} numbered />;
}

describe("the sentence of a finding", () => {
  it("is the rule's own in English", () => {
    expect(sentence(finding("body.too_long", { length: "2000", limit: "1024" }))).toBe(
      "The rule's own words about {{1}}.",
    );
  });

  describe("in another language", () => {
    beforeAll(() => showLanguage("es"));
    afterAll(() => showLanguage("en"));

    it("has the numbers of the finding", () => {
      expect(sentence(finding("body.too_long", { length: "2000", limit: "1024" }))).toContain("2000 caracteres");
    });

    it("writes variables in their braces, and what was typed as it was typed", () => {
      expect(sentence(finding("body.sample_missing", { name: "1" }))).toContain("ejemplo para {{1}}");
      expect(sentence(finding("variable.spaces", { name: "$t(openSource) {{x}}" }))).toContain(
        "`$t(openSource) {{x}}`",
      );
    });

    it("states sizes as people read them", () => {
      const values = { size: "50516081", limit: "5242880", format: "IMAGE" };
      expect(sentence(finding("header.file_too_large", values))).toBe(
        "El archivo pesa 48 MB; el límite de un encabezado de imagen es 5 MB. Elija un archivo más pequeño.",
      );
    });

    it("says types and formats as words", () => {
      expect(sentence(finding("component.duplicate", { type: "HEADER" }))).toBe(
        "Hay más de un encabezado. Deje solo uno.",
      );
      expect(sentence(finding("button.marketing_only", { type: "QUICK_REPLY" }))).toContain("QUICK_REPLY");
    });

    it("is the rule's own for a rule that is newer than the translation", () => {
      expect(sentence(finding("hologram.too_bright", {}))).toBe("The rule's own words about {{1}}.");
      expect(sentence(finding("provider", {}))).toBe("The rule's own words about {{1}}.");
    });
  });
});

describe("a list of findings", () => {
  const components = [
    { type: "BODY", text: "Hi" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "" },
        { type: "QUICK_REPLY", text: "Visit" },
      ],
    },
    { type: "CAROUSEL", cards: [{ components: [{ type: "BODY", text: "" }] }, { components: [{ type: "BODY" }] }] },
  ];
  const template = { name: "n", language: "en", category: "MARKETING", components } as unknown as Template;
  const at = (path: string, message: string, change: Partial<Finding> = {}): Finding => ({
    ...finding("some.rule", {}),
    path,
    message,
    ...change,
  });
  const show = (findings: Finding[]) =>
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider>
          <NamedList findings={findings} template={template} />
        </MantineProvider>
      </QueryClientProvider>,
    );
  const lines = () => within(screen.getByRole("list", { name: "Checks" })).getAllByRole("listitem");

  it("names the place of each, and keeps those of one place together", () => {
    show([
      at("/components/1/buttons/0/text", "Enter a button text."),
      at("/components/2/cards/0/components/0/text", "Write the body text."),
      at("/components/2/cards/1/components/0/text", "Write the body text."),
      at("/name", "Enter a name."),
      at("/components/1/buttons/1/text", "Twice.", { severity: "hint" }),
      at("/components/1/buttons/0", "Too many.", { severity: "hint" }),
    ]);
    expect(lines().map((line) => line.querySelector("p")?.textContent ?? "")).toEqual([
      "Button 1",
      "",
      "Card 1 · Body",
      "Card 2 · Body",
      "Name",
      "Button 2: Visit",
    ]);
    const [, second] = screen.getAllByRole("button", { name: /body text/ });
    expect(document.getElementById(second?.getAttribute("aria-describedby") ?? "")?.textContent).toBe("Card 2 · Body");
  });

  it("says where a rule comes from only when it is asked", async () => {
    show([at("/name", "Enter a name.")]);
    expect(screen.queryByText(/§2.2/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Why? Problem 1" }));
    expect(screen.getByText("Required by your provider's contract, section §2.2.")).toBeDefined();
  });

  it("states the channel's error with the page of its rule", async () => {
    const source = "https://example.com/errors";
    show([at("/name", "Write more text.", { source, values: { errorCode: "2388293" } })]);
    expect(screen.queryByText(/2388293/)).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Why? Problem 1" }));
    const why = screen.getByText(
      /If WhatsApp rejects it, the error is 2388293\. WhatsApp's documentation states this rule:/,
    );
    expect(within(why).getByRole("button", { name: source })).toBeDefined();
  });

  it("closes what was explained with Escape, which then does nothing else", async () => {
    show([at("/name", "Enter a name.")]);
    await userEvent.click(screen.getByRole("button", { name: "Why? Problem 1" }));
    expect(fireEvent.keyDown(screen.getByRole("button", { name: "Why? Problem 1" }), { key: "Escape" })).toBe(false);
    expect(screen.queryByText(/§2.2/)).toBeNull();
    expect(fireEvent.keyDown(screen.getByRole("button", { name: "Why? Problem 1" }), { key: "Escape" })).toBe(true);
  });

  it("leaves the dialog around it open until what was explained is closed", async () => {
    const onClose = vi.fn();
    const findings = [at("/name", "Enter a name.", { source: "https://example.com/rule" })];
    render(
      <QueryClientProvider client={new QueryClient()}>
        <MantineProvider env="test">
          <Modal opened onClose={onClose}>
            <NamedList findings={findings} template={template} />
          </Modal>
        </MantineProvider>
      </QueryClientProvider>,
    );
    const why = await screen.findByRole("button", { name: "Why? Problem 1" });
    await userEvent.click(why);
    await userEvent.keyboard("{Escape}");
    await userEvent.click(why);
    screen.getByRole("button", { name: "https://example.com/rule" }).focus();
    await userEvent.keyboard("{Escape}");
    expect(screen.queryByRole("button", { name: "https://example.com/rule" })).toBeNull();
    expect(document.activeElement).toBe(why);
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.keyboard("{Escape}");
    expect(onClose).toHaveBeenCalledOnce();
  });
});

import { readFileSync } from "node:fs";
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import type { Bubble, Run } from "@/bindings/model";
import { BubbleView } from "./bubble-view";
import { Phone } from "./phone";

const run = (text: string, style: Partial<Run> = {}): Run => ({ text, ...style });

const bubble = (parts: Partial<Bubble> = {}): Bubble => ({
  body: [],
  buttons: [],
  visible_buttons: parts.buttons?.length ?? 0,
  cards: [],
  right_to_left: false,
  unknown: [],
  ...parts,
});

const show = (message: Bubble) => render(<Phone bubble={message} />, { wrapper: MantineProvider });

describe("the phone", () => {
  it("draws no space around variables and code that is not sent", () => {
    const css = readFileSync("src/components/phone/phone.module.css", "utf8");
    const rules = [...css.matchAll(/([^{}]*)\{([^{}]*)\}/g)].map(([, selector = "", body = ""]) => ({
      selector,
      body,
    }));
    const inText = rules.filter(({ selector }) => /\.variable\b|\.text code/.test(selector));
    expect(inText.length).toBeGreaterThan(0);
    for (const { selector, body } of inText) expect(body, selector).not.toMatch(/padding|margin|letter-spacing/);
  });

  it("says that a button has no text, instead of its type", () => {
    show(bubble({ buttons: [{ kind: "QUICK_REPLY", label: "" }] }));
    expect(screen.getByText("No text yet")).toBeDefined();
    expect(screen.queryByText("QUICK_REPLY")).toBeNull();
  });

  it("shows the name of the sending number where it is known", () => {
    const { rerender } = show(bubble());
    expect(screen.getByText("Your business")).toBeDefined();
    rerender(<Phone bubble={bubble()} sender="Garden shop" />);
    expect(screen.getByText("Garden shop")).toBeDefined();
  });

  it("shows hostile text as text", () => {
    const hostile = '<img src=x onerror="alert(1)"><script>alert(2)</script>';
    const { container } = show(
      bubble({
        header: { kind: "text", text: hostile },
        body: [{ kind: "line", runs: [run(hostile)] }],
        footer: hostile,
        buttons: [{ kind: "URL", label: hostile, target: "javascript:alert(3)" }],
        unknown: [hostile],
      }),
    );
    expect(screen.getAllByText(hostile).length).toBeGreaterThanOrEqual(4);
    expect(container.querySelector("script, img, a, [href]")).toBeNull();
  });

  it("never loads an address, but shows a picture that is part of the page", () => {
    const { container, rerender } = show(
      bubble({ header: { kind: "media", format: "IMAGE", link: "https://x.example/a.jpg" } }),
    );
    expect(container.querySelector("img")).toBeNull();
    expect(screen.getByText("Image")).toBeDefined();
    rerender(
      <Phone bubble={bubble({ header: { kind: "media", format: "IMAGE", link: "data:image/png;base64,AA" } })} />,
    );
    expect(container.querySelector("img")?.getAttribute("src")).toBe("data:image/png;base64,AA");
  });

  it("is as wide as possible with a line that fills it, and else as wide as its text", () => {
    const isWide = (...lines: string[]) => {
      const body = lines.map((text) => ({ kind: "line" as const, runs: [run(text.slice(0, 3)), run(text.slice(3))] }));
      const { container, unmount } = show(bubble({ body }));
      const wide = container.querySelector("[data-wide]") !== null;
      unmount();
      return wide;
    };
    expect(isWide("short", "i".repeat(160))).toBe(true);
    expect(isWide("i".repeat(159), "i".repeat(159))).toBe(false);
    expect(isWide()).toBe(false);
  });

  it("formats runs and tints variables", () => {
    show(
      bubble({
        body: [
          { kind: "line", runs: [run("b", { bold: true }), run("i", { italic: true }), run("s", { strike: true })] },
          { kind: "line", runs: [run("v", { variable: true, bold: true })] },
          { kind: "line", runs: [] },
          { kind: "numbered", number: "2", runs: [run("second")] },
          { kind: "code", text: "a  b" },
        ],
      }),
    );
    expect(screen.getByText("b").tagName).toBe("STRONG");
    expect(screen.getByText("i").tagName).toBe("EM");
    expect(screen.getByText("s").tagName).toBe("S");
    expect(screen.getByText("v").parentElement?.className).toContain("variable");
    expect(screen.getByText("2.")).toBeDefined();
    expect(screen.getByText("a b").tagName).toBe("PRE");
  });

  it("hides what the message says is behind “See all options”", async () => {
    const labels = ["one", "two", "three", "four"];
    show(bubble({ buttons: labels.map((label) => ({ kind: "QUICK_REPLY", label })), visible_buttons: 2 }));
    const list = screen.getByRole("list", { name: "Buttons of the message" });
    expect(within(list).queryByText("three")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "See all options" }));
    expect(within(list).getByText("four")).toBeDefined();
  });

  it("moves through a carousel by its arrows and stops at its ends", async () => {
    show(bubble({ cards: ["a", "b", "c"].map((text) => bubble({ body: [{ kind: "line", runs: [run(text)] }] })) }));
    const next = screen.getByRole("button", { name: "Next card" });
    expect(screen.getByRole("button", { name: "Previous card" })).toHaveProperty("disabled", true);
    await userEvent.click(next);
    await userEvent.click(next);
    expect(screen.getByText("3 / 3")).toBeDefined();
    expect(next).toHaveProperty("disabled", true);
    screen.getByRole("listitem", { name: "Card 1 of 3" }).parentElement?.focus();
    await userEvent.keyboard("{ArrowLeft}");
    expect(screen.getByText("2 / 3")).toBeDefined();
  });

  it("shows the card that is being edited, once it is there", async () => {
    const cards = (count: number) =>
      bubble({ cards: Array.from({ length: count }, (_, index) => bubble({ footer: `card ${index}` })) });
    const { rerender } = show(cards(2));
    rerender(<Phone bubble={cards(2)} current={1} />);
    expect(screen.getByText("2 / 2")).toBeDefined();
    rerender(<Phone bubble={cards(2)} current={2} />);
    expect(screen.getByText("2 / 2")).toBeDefined();
    rerender(<Phone bubble={cards(3)} current={2} />);
    expect(screen.getByText("3 / 3")).toBeDefined();
    rerender(<Phone bubble={cards(1)} current={2} />);
    expect(screen.getByText("1 / 1")).toBeDefined();
  });

  it("draws a card again only when it changes", () => {
    let drawn = 0;
    const counted = (text: string) => {
      const card = bubble({ footer: text });
      const get = () => {
        drawn += 1;
        return false;
      };
      return Object.defineProperty(card, "right_to_left", { get, enumerable: true });
    };
    const cards = [counted("a"), counted("b"), counted("c")];
    const { rerender } = show(bubble({ cards }));
    const first = drawn;
    rerender(<Phone bubble={bubble({ cards, footer: "typed" })} />);
    expect(drawn).toBe(first);
    rerender(<Phone bubble={bubble({ cards: [...cards.slice(0, 2), counted("d")] })} />);
    expect(drawn).toBe(first + first / 3);
  });

  it("shows name, size and duration of a file that has no thumbnail", () => {
    const media = (format: string) => bubble({ header: { kind: "media", format, link: null } });
    const { container, rerender } = render(
      <Phone bubble={media("DOCUMENT")} media={{ name: "menu.pdf", size: 48_120 }} />,
      { wrapper: MantineProvider },
    );
    expect(screen.getByText("menu.pdf")).toBeDefined();
    expect(screen.getByText("47 kB")).toBeDefined();
    rerender(<Phone bubble={media("VIDEO")} media={{ name: "tour.mp4", size: 2_516_582, durationMs: 12_000 }} />);
    expect(screen.getByText("tour.mp4")).toBeDefined();
    expect(screen.getByText("2.4 MB · 0:12")).toBeDefined();
    expect(container.querySelector("img")).toBeNull();
    rerender(<Phone bubble={media("VIDEO")} />);
    expect(screen.getByText("Video")).toBeDefined();
  });

  it("names what it cannot show, and the type of a button without a label", () => {
    show(
      bubble({
        unknown: ["HOLOGRAM", "CALL_PERMISSION_REQUEST"],
        buttons: [{ kind: "TELEPORT", label: "" }],
        visible_buttons: 1,
      }),
    );
    expect(screen.getByText("Can't be shown here: HOLOGRAM, Call permission request")).toBeDefined();
    expect(screen.getByText("TELEPORT")).toBeDefined();
  });

  it("runs right to left where the message does", () => {
    const { container } = show(bubble({ right_to_left: true, body: [{ kind: "line", runs: [run("مرحبا")] }] }));
    expect(container.querySelector('[dir="rtl"]')?.textContent).toContain("مرحبا");
  });

  it("lets header, footer and buttons run in the direction of their own text", () => {
    show(
      bubble({
        right_to_left: true,
        header: { kind: "text", text: "שלום!" },
        body: [{ kind: "line", runs: [run("مرحبا")] }],
        footer: "Reply STOP to leave.",
        buttons: [{ kind: "QUICK_REPLY", label: "OK!" }],
        visible_buttons: 1,
      }),
    );
    for (const text of ["שלום!", "Reply STOP to leave.", "OK!"]) {
      expect(screen.getByText(text).closest("[dir]")?.getAttribute("dir")).toBe("auto");
    }
  });

  it("writes time and status from left to right in a message that runs from right to left", () => {
    render(<BubbleView bubble={bubble({ right_to_left: true })} foot={<time>4:43 PM</time>} />, {
      wrapper: MantineProvider,
    });
    expect(screen.getByText("4:43 PM").closest("[dir]")?.getAttribute("dir")).toBe("ltr");
  });

  it("reports a tap with its card", async () => {
    const onTap = vi.fn();
    const card = bubble({ buttons: [{ kind: "QUICK_REPLY", label: "Yes" }] });
    render(<BubbleView bubble={bubble({ cards: [bubble(), card] })} onTap={onTap} />, { wrapper: MantineProvider });
    await userEvent.click(screen.getByRole("button", { name: "Yes" }));
    expect(onTap).toHaveBeenCalledWith(0, 1);
  });
});

it("swipes with the mouse, without pressing the button the swipe ends on", () => {
  const onTap = vi.fn();
  const card = bubble({ buttons: [{ kind: "QUICK_REPLY", label: "Yes" }], visible_buttons: 1 });
  render(<BubbleView bubble={bubble({ cards: [card, bubble()] })} onTap={onTap} />, { wrapper: MantineProvider });
  const track = screen.getByRole("listitem", { name: "Card 1 of 2" }).parentElement as HTMLElement;
  const button = screen.getByRole("button", { name: "Yes" });
  fireEvent.pointerDown(button, { pointerType: "mouse", button: 0, clientX: 200 });
  fireEvent.pointerMove(button, { pointerType: "mouse", clientX: 120 });
  expect(track.scrollLeft).toBe(80);
  fireEvent.pointerUp(button, { pointerType: "mouse", clientX: 120 });
  fireEvent.click(button);
  expect(onTap).not.toHaveBeenCalled();
  fireEvent.pointerDown(button, { pointerType: "mouse", button: 0, clientX: 120 });
  fireEvent.pointerUp(button, { pointerType: "mouse", clientX: 121 });
  fireEvent.click(button);
  expect(onTap).toHaveBeenCalledWith(0, 0);
});

it("marks what was tapped, on its card alone, and keeps the focus there", async () => {
  const card = bubble({ buttons: [{ kind: "QUICK_REPLY", label: "Yes" }], visible_buttons: 1 });
  const onTap = vi.fn();
  render(<BubbleView bubble={bubble({ cards: [card, card] })} onTap={onTap} used={[{ card: 1, button: 0 }]} />, {
    wrapper: MantineProvider,
  });
  expect(screen.getByRole("button", { name: "Yes" }).getAttribute("aria-disabled")).toBeNull();
  const tapped = screen.getByRole("button", { name: "Yes, tapped" });
  expect(tapped.getAttribute("aria-disabled")).toBe("true");
  await userEvent.click(tapped);
  expect(document.activeElement).toBe(tapped);
  expect(onTap).not.toHaveBeenCalled();
});

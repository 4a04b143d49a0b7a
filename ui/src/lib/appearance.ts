// How the window looks by preference: size of text, density and contrast, as attributes and font size of the root.

import { useMediaQuery } from "@mantine/hooks";
import { useLayoutEffect } from "react";
import type { Preferences } from "@/bindings/app";
import { useBootstrap } from "./desk";

type Appearance = Pick<Preferences, "textScale" | "density" | "contrast">;

/** Rows of a compact list have this share of their normal height. */
const COMPACT_ROW = 0.84;

/** Applies the preferences to the page. High contrast also follows the desktop. */
export function useAppearance({ textScale, density, contrast }: Appearance): void {
  const wantsMore = useMediaQuery("(prefers-contrast: more)") ?? false;
  const high = contrast === "high" || wantsMore;
  useLayoutEffect(() => {
    const { documentElement: root } = document;
    root.setAttribute("data-density", density);
    root.setAttribute("data-contrast", high ? "high" : "normal");
  }, [density, high]);
  useLayoutEffect(() => followTextScale(textScale / 100), [textScale]);
}

/** Turns pixels of the normal size into those of the person's size of text and density. */
export function useRowScale(): number {
  const { preferences } = useBootstrap();
  return (preferences.textScale / 100) * (preferences.density === "compact" ? COMPACT_ROW : 1);
}

/** Whether the window is narrower than `em` at the person's size of text. */
export function useNarrowerThan(em: number): boolean {
  const { preferences } = useBootstrap();
  const query = `(max-width: ${(em * preferences.textScale) / 100}em)`;
  // Known at the first frame: a column that is there for one frame would take the focus.
  return useMediaQuery(query, undefined, { getInitialValueInEffect: false }) ?? false;
}

/** Sets the font size of the root, and keeps conditions on the width of the window in step with it. */
function followTextScale(factor: number): () => void {
  const { documentElement: root } = document;
  const { style } = root;
  root.toggleAttribute("data-scaled", factor !== 1);
  style.fontSize = factor === 1 ? "" : `${factor * 100}%`;
  style.setProperty("--desk-text-scale", String(factor));
  // Reading all rules of a page takes longer than drawing it.
  if (factor === 1 && !isScaled) return () => undefined;
  isScaled = true;
  const scale = () => {
    for (const sheet of document.styleSheets) scaleConditions(sheet.cssRules, factor);
  };
  scale();
  // Screens bring their styles when they are first shown.
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLLinkElement) node.addEventListener("load", scale, { once: true });
    }
    scale();
  });
  observer.observe(document.head, { childList: true });
  return () => observer.disconnect();
}

/** Whether conditions may differ from how they were written. */
let isScaled = false;

/** The conditions as they were written. */
const written = new WeakMap<MediaList, string>();

/** `em` in a condition is the size of the browser, whatever that of the page is: the conditions are multiplied instead. */
export function scaleConditions(rules: CSSRuleList, factor: number): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule) {
      const text = written.get(rule.media) ?? rule.media.mediaText;
      written.set(rule.media, text);
      const scaled = text.replace(/([\d.]+)em\b/g, (_, em: string) => `${Number(em) * factor}em`);
      if (rule.media.mediaText !== scaled) rule.media.mediaText = scaled;
    }
    if ("cssRules" in rule) scaleConditions(rule.cssRules as CSSRuleList, factor);
  }
}

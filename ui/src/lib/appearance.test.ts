import { expect, it } from "vitest";
import { scaleConditions } from "./appearance";

it("multiplies conditions on the width by the size of text, always from what was written", () => {
  const style = document.createElement("style");
  style.textContent =
    "@media (max-width: 50em) { a { color: red; } } @media (prefers-contrast: more) { a { color: red; } }";
  document.head.append(style);
  const rules = style.sheet?.cssRules;
  if (!rules) throw new Error("the rules are read");
  const conditions = () => [...rules].map((rule) => (rule as CSSMediaRule).media.mediaText);
  scaleConditions(rules, 2);
  scaleConditions(rules, 1.5);
  expect(conditions()).toEqual(["(max-width: 75em)", "(prefers-contrast: more)"]);
  scaleConditions(rules, 1);
  expect(conditions()[0]).toBe("(max-width: 50em)");
  style.remove();
});

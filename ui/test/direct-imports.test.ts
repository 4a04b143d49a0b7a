import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, test } from "vitest";
import { directImports } from "../direct-imports";

type Hook = { handler: (this: unknown, ...args: string[]) => unknown };
const plugin = directImports();
const call = (hook: unknown, ...args: string[]) => (hook as Hook).handler.call({}, ...args);

/** Classes of Mantine in the order of a style sheet. */
const classes = (css: string) => [...new Set([...css.matchAll(/\.(m_[0-9a-f]+)/g)].map(([, name]) => name))];

test("the styles that others change come in the order of the library's sheet", () => {
  const sheet = createRequire(import.meta.url).resolve("@mantine/core/styles.layer.css");
  const first = classes(String(call(plugin.load, sheet)));
  expect(first).toEqual(classes(readFileSync(sheet, "utf8")).filter((name) => first.includes(name)));
});

test.each(["Modal/ModalBase", "Paper/Paper", "Kbd/Kbd"])("%s loads them before its own", (component) => {
  const id = `/node_modules/@mantine/core/esm/components/${component}.module.mjs`;
  const { code } = call(plugin.transform, "export default {};", id) as { code: string };
  expect(code.split("\n")[0]).toBe('import "@mantine/core/styles.layer.css";');
});

// Rewrites the imports of a build: from the entries of libraries, which import all of their modules, to the modules that are
// used. So the bundler knows what a screen needs, of scripts and of styles.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";

/** The libraries, and their entries. */
const ENTRIES: Record<string, string> = {
  "@mantine/core": "esm/index.mjs",
  "@mantine/hooks": "esm/index.mjs",
  "@mantine/modals": "esm/index.mjs",
  "@mantine/notifications": "esm/index.mjs",
  "@mantine/spotlight": "esm/index.mjs",
  "@tabler/icons-react": "dist/esm/tabler-icons-react.mjs",
};

const NODE_MODULES = join(import.meta.dirname, "node_modules");
/** Mantine's styles that belong to no component. */
const GLOBAL_STYLES = ["default-css-variables", "baseline", "global"];
/**
 * Components that others draw on the same element and change, in the order of Mantine's own style sheet: the later rule
 * wins, so these have to come before all others.
 */
const BASE_STYLES = [
  "ScrollArea",
  "UnstyledButton",
  "VisuallyHidden",
  "Paper",
  "Overlay",
  "Popover",
  "Loader",
  "ActionIcon",
  "CloseButton",
  "Group",
  "ModalBase",
  "Input",
  "Flex",
  "FloatingIndicator",
  "Text",
];

/** Where something that an entry exports is from: a module, and its name there. */
interface Source {
  module: string;
  name: string;
}

/** `a, b as c` as pairs of names, without types. */
function names(list: string): [name: string, as: string][] {
  const named = list.split(",").map((one) => one.trim());
  return named.flatMap((one) => {
    const [name = "", as = name] = one.split(" as ");
    return name === "" || name.startsWith("type ") ? [] : [[name, as]];
  });
}

/** What an entry exports. */
function exportsOf(library: string, entry: string): Map<string, Source> {
  const file = join(NODE_MODULES, library, entry);
  const code = readFileSync(file, "utf8");
  const imported = new Map<string, Source>();
  const exported = new Map<string, Source>();
  for (const [, kind, list = "", path = ""] of code.matchAll(
    /^(import|export) \{([^}]*)\} from ["']([^"']*)["'];$/gm,
  )) {
    const module = path.startsWith(".") ? join(file, "..", path) : path;
    for (const [name, as] of names(list)) (kind === "import" ? imported : exported).set(as, { module, name });
  }
  for (const [, list = ""] of code.matchAll(/^export \{([^}]*)\};$/gm)) {
    for (const [name, as] of names(list)) {
      const source = imported.get(name);
      if (source) exported.set(as, source);
    }
  }
  return exported;
}

/**
 * Imports from the modules of libraries instead of their entries, and loads the styles of a Mantine component with the
 * component. Only builds do it: the development server and the tests use the entries and the whole style sheet.
 */
export function directImports(): Plugin {
  const libraries = new Map<string, Map<string, Source>>();
  return {
    name: "direct-imports",
    apply: "build",
    buildStart() {
      for (const [library, entry] of Object.entries(ENTRIES)) libraries.set(library, exportsOf(library, entry));
    },
    load: {
      filter: { id: /@mantine\/core\/styles\.layer\.css$/ },
      handler: () => [...GLOBAL_STYLES, ...BASE_STYLES].map((name) => readFileSync(stylesOf(name), "utf8")).join("\n"),
    },
    transform: {
      filter: { id: /\.(mjs|tsx?)$/ },
      handler(code, id) {
        const component = /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1];
        if (component) {
          const styles = stylesOf(component);
          if (!existsSync(styles)) this.error(`Mantine has no styles of ${component}`);
          const own = BASE_STYLES.includes(component) ? [] : [styles];
          const imports = ["@mantine/core/styles.layer.css", ...own].map((path) => `import ${JSON.stringify(path)};`);
          return { code: [...imports, code].join("\n"), map: null };
        }
        let isChanged = false;
        const direct = code.replace(/import \{([^}]*)\} from "([^"]*)";/g, (statement, list: string, from: string) => {
          const library = libraries.get(from);
          if (!library) return statement;
          isChanged = true;
          const imports = names(list).map(([name, as]) => {
            const source = library.get(name) ?? this.error(`${from} does not export ${name}`);
            return `import { ${source.name} as ${as} } from ${JSON.stringify(source.module)};`;
          });
          return imports.join(" ");
        });
        return isChanged ? { code: direct, map: null } : null;
      },
    },
  };
}

function stylesOf(name: string): string {
  return join(NODE_MODULES, `@mantine/core/styles/${name}.layer.css`);
}

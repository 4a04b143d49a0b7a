import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { directImports } from "./direct-imports.ts";
import { firstScreenChunk } from "./first-screen-chunk.ts";
import { helpPages } from "./help-plugin.ts";
import { filesWithOtherAnswers } from "./test/answers.ts";
import { startRulesServer } from "./test/rules-server.ts";

const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Starts the rules server, which the fake host reaches through the origin of the page. */
async function rulesProxy() {
  const { address } = await startRulesServer();
  return { "/rules": { target: address, rewrite: (path: string) => path.replace("/rules", "") } };
}

/** The test files: all, or with `RULES_CHANGED` those that a change of Rust alone concerns. */
async function testFiles() {
  const every = ["src/**/*.test.{ts,tsx}", "test/**/*.test.{ts,tsx}"];
  const { RULES_ANSWERS: folder, RULES_CHANGED: isChanged } = process.env;
  if (!folder || !isChanged) return every;
  const server = await startRulesServer();
  const files = await filesWithOtherAnswers(folder, server);
  await server.stop();
  return files ?? every;
}

export default defineConfig(
  async ({ command, mode }): Promise<ViteUserConfig> => ({
    // The native React Compiler: see docs/decisions/0033-react-compiler.md.
    plugins: [directImports(), react({ compiler: true }), helpPages()],
    resolve: { alias: { "@": folder("./src"), "@test": folder("./test") } },
    // The shell looks for exactly this address while developing.
    server: {
      host: "localhost",
      port: 5173,
      strictPort: true,
      proxy: command === "serve" && mode === "fake" ? await rulesProxy() : undefined,
    },
    build: {
      target: "safari18",
      // The policy allows fonts from the app itself only, not as data URLs.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 1000,
      rolldownOptions: {
        output: {
          codeSplitting: { groups: [firstScreenChunk(folder("./src/main.ts"), folder("./src/app/show-app.tsx"))] },
        },
      },
    },
    test: {
      environment: "happy-dom",
      globalSetup: ["./test/global-setup.ts"],
      setupFiles: ["./test/setup.ts"],
      // Half of a short file would be loading the same libraries again; `setup.ts` resets the modules of the app.
      isolate: false,
      include: mode === "test" ? await testFiles() : [],
      passWithNoTests: Boolean(process.env.RULES_CHANGED),
      css: { modules: { classNameStrategy: "non-scoped" } },
      restoreMocks: true,
      // React in development makes a lot of garbage.
      execArgv: ["--max-semi-space-size=64"],
      // happy-dom does not know this element; the window's engine does.
      onConsoleLog: (log) => !log.startsWith("The tag <search> is unrecognized"),
      // Reading roles and names of a whole window is slow where a build runs beside it.
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // By default one core stays free, which doubles the time on a machine with two.
      maxWorkers: "100%",
    },
  }),
);

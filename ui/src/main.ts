// Small, so that the host is asked and the texts are read while the app itself is loaded and compiled: the host's first
// answer waits for the end of this script.

import { loadTextFont } from "./app/text-font";
import { loadTexts } from "./lib/i18n/texts";
import { connectHost } from "./lib/ipc/client";
import { askEarly } from "./lib/ipc/early-answers";
import type { Host } from "./lib/ipc/host";
import { tauriHost } from "./lib/ipc/tauri-host";

async function chooseHost(): Promise<Host> {
  // Replaced at build time: the product contains no trace of the other host.
  if (import.meta.env.MODE === "fake") return (await import("@test/fake-host")).createFakeHost();
  return tauriHost;
}

async function start() {
  performance.mark("script started");
  const host = await chooseHost();
  connectHost(navigator.webdriver ? (await import("./lib/quiet")).watch(host) : host, askEarly);
  // The app does the same once it knows the preferences, and mostly finds them here.
  loadTexts("").catch((reason: unknown) => console.warn("the texts of the window cannot be loaded", reason));
  const root = document.getElementById("root");
  if (!root) throw new Error("index.html has an element with the id root");
  const [{ showApp }] = await Promise.all([import("./app/show-app"), loadTextFont()]);
  performance.mark("app evaluated");
  showApp(root);
}

await start();

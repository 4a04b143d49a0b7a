import "./app/global.css";
import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";
import "@mantine/spotlight/styles.layer.css";

import { createRoot } from "react-dom/client";
import { App } from "./app/app";
import { connectHost } from "./lib/ipc/client";
import type { Host } from "./lib/ipc/host";

async function chooseHost(): Promise<Host> {
  // Replaced at build time: the product contains no trace of the other host.
  if (import.meta.env.MODE === "fake") return (await import("@test/fake-host")).createFakeHost();
  return (await import("./lib/ipc/tauri-host")).tauriHost;
}

const root = document.getElementById("root");
if (!root) throw new Error("index.html has an element with the id root");
connectHost(await chooseHost());
createRoot(root).render(<App />);

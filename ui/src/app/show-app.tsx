import "./global.css";
import "@fontsource-variable/inter/wght.css";
import "@mantine/core/styles.layer.css";
import "@mantine/notifications/styles.layer.css";

import { createRoot } from "react-dom/client";
import { App } from "./app";

export function showApp(root: HTMLElement): void {
  createRoot(root).render(<App />);
}

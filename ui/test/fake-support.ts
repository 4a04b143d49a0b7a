// Diagnostics, failures of the page, and what the page is told once.

import type { Pending } from "@/bindings/ipc";
import type { Handlers } from "./fake-host";

type Commands = "take_pending" | "get_diagnostics" | "save_diagnostics" | "report_page_failure" | "open_log_folder";

export function supportHandlers(chosen: URLSearchParams): Pick<Handlers, Commands> {
  let pending: Pending = { link: null, pageCrashed: chosen.get("crash") === "page" };
  return {
    take_pending: () => {
      const taken = pending;
      pending = { link: null, pageCrashed: false };
      return taken;
    },
    get_diagnostics: () => ({ text: "Template Desk diagnostics\n\n[App]\nversion: 0.1.0\nsystem: linux x86_64\n" }),
    save_diagnostics: () => ({ path: "/home/ana/Template Desk diagnostics.txt" }),
    report_page_failure: ({ name }) => ({ text: `Template Desk 0.1.0\n${name} in templates: …` }),
    open_log_folder: () => ({}),
  };
}

// Announcements of newer versions.

import type { UpdateState } from "@/bindings/app";
import { type Handlers, refusal } from "./fake-host";
import { NOW } from "./fixtures";

export function updateHandlers(): Pick<Handlers, "get_updates" | "save_update_settings" | "check_for_updates"> {
  let state: UpdateState = { settings: { enabled: false, address: "", publicKey: "" }, version: "0.1.0" };
  return {
    get_updates: () => state,
    save_update_settings: (settings) => {
      if (settings.enabled && !settings.address.startsWith("https://")) {
        refusal({ code: "invalidInput", field: "address", message: "Only https addresses are accepted." });
      }
      state = settings.enabled
        ? {
            settings,
            version: state.version,
            available: { version: "0.2.0", url: "https://example.com/template-desk", notes: "Faster lists." },
            checkedAt: NOW,
          }
        : { settings, version: state.version };
      return state;
    },
    check_for_updates: () => state,
  };
}

// Newer versions.

import type { UpdateState } from "@/bindings/app";
import { type Handlers, refusal } from "./fake-host";
import { NOW } from "./fixtures";

export function updateHandlers(): Pick<
  Handlers,
  "get_updates" | "save_update_settings" | "check_for_updates" | "install_update"
> {
  let state: UpdateState = {
    settings: { enabled: false, address: "", publicKey: "" },
    version: "0.1.0",
    installation: "windowsInstaller",
  };
  return {
    get_updates: () => state,
    save_update_settings: (settings) => {
      if (settings.enabled && !settings.address.startsWith("https://")) {
        refusal({ code: "invalidInput", field: "address", message: "Only https addresses are accepted." });
      }
      const { version, installation } = state;
      state = { settings, version, installation };
      if (settings.enabled) {
        const available = { version: "0.2.0", page: "https://example.com/template-desk", notes: "Faster lists." };
        state = { ...state, available, checkedAt: NOW };
      }
      return state;
    },
    check_for_updates: () => state,
    install_update: () => {
      state = { ...state, step: { kind: "finishing" } };
      return state;
    },
  };
}

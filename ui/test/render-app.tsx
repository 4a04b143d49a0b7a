import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import { App } from "@/app/app";
import { connectHost } from "@/lib/ipc/client";
import { createFakeHost, type FakeHost } from "./fake-host";

/** Renders the app at `address` with its own host. */
export function renderApp(address: string, host: FakeHost = createFakeHost({ templates: 40 })) {
  // Without the state of the entry before, from which one could go back.
  window.history.replaceState(null, "", `#${address}`);
  connectHost(host);
  return { host, user: fastTypist(), ...render(<App />) };
}

/** Each key draws the whole screen, so a longer text arrives at once; a test about keys calls `user.keyboard`. */
function fastTypist(): UserEvent {
  const user = userEvent.setup();
  return {
    ...user,
    async type(element, text, options) {
      const plain = text.match(/^[^{[]{3,}/)?.[0];
      if (!plain || options) return user.type(element, text, options);
      await user.click(element);
      await user.paste(plain);
      if (plain.length < text.length) await user.keyboard(text.slice(plain.length));
    },
  };
}

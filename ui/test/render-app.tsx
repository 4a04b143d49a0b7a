import { render } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { App } from "@/app/app";
import { connectHost } from "@/lib/ipc/client";
import { createFakeHost, type FakeHost } from "./fake-host";

/** Renders the app at `address` with its own host. */
export function renderApp(address: string, host: FakeHost = createFakeHost({ templates: 40 })) {
  window.location.hash = address;
  connectHost(host);
  return { host, user: userEvent.setup(), ...render(<App />) };
}

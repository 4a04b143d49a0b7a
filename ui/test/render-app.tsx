import { render, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect } from "vitest";
import { App } from "@/app/app";
import { connectHost } from "@/lib/ipc/client";
import { createFakeHost, type FakeHost } from "./fake-host";

/** Renders the app at `address` with its own host. */
export function renderApp(address: string, host: FakeHost = createFakeHost({ templates: 40 })) {
  window.location.hash = address;
  connectHost(host);
  return { host, user: userEvent.setup(), ...render(<App />) };
}

// A screen that still loads when the test file is over would be drawn in a window that is gone.
afterEach(() => waitFor(() => expect(window.__TSR_ROUTER__?.state.status).not.toBe("pending")));

import { cleanup } from "@testing-library/react";
import { afterEach, beforeAll, vi } from "vitest";
import { showLanguage } from "@/lib/i18n/i18n";

// What Mantine asks of a browser and happy-dom does not have.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
Element.prototype.scrollIntoView = () => undefined;

beforeAll(() => showLanguage("en"));
afterEach(cleanup);

import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeAll, vi } from "vitest";
import { showLanguage } from "@/lib/i18n/i18n";

// The window is frozen like this by the shell; a library that minds must fail here first.
Object.freeze(Object.prototype);

// What the page asks of a browser and happy-dom does not have.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// Everything is in sight, which is told after a moment, as browsers do.
vi.stubGlobal(
  "IntersectionObserver",
  class {
    readonly tell: IntersectionObserverCallback;
    constructor(tell: IntersectionObserverCallback) {
      this.tell = tell;
    }
    observe(target: Element) {
      const entry = { isIntersecting: true, intersectionRatio: 1, target } as unknown as IntersectionObserverEntry;
      queueMicrotask(() => this.tell([entry], this as unknown as IntersectionObserver));
    }
    unobserve() {}
    disconnect() {}
  },
);
Element.prototype.scrollIntoView = () => undefined;
// Nothing is laid out here; lists of visible rows need some height.
Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => 600 });
Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 1000 });
Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, get: () => 1000 });
// Menus hide when what they belong to is out of sight.
HTMLElement.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 200, 40);
Object.defineProperty(document, "fonts", { value: new EventTarget() });
// Without motion, what opens is there at once.
window.matchMedia = (query) =>
  ({
    matches: query.includes("reduce"),
    media: query,
    onchange: null,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    addListener: () => undefined,
    removeListener: () => undefined,
    dispatchEvent: () => false,
  }) satisfies MediaQueryList;

// The whole suite shares two cores with a build at times.
configure({ asyncUtilTimeout: 5_000 });

beforeAll(() => showLanguage("en"));
afterEach(() => {
  cleanup();
  localStorage.clear();
});

import { relative } from "node:path";
import { notifications } from "@mantine/notifications";
import { cleanup, configure, logDOM, waitFor } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, expect, inject, vi } from "vitest";
import { palette } from "@/app/palette";
import { listMemories } from "@/components/virtual-list";
import { keptFilters } from "@/features/inbox/use-kept-filter";
import { gridMemories } from "@/features/templates/matrix/matrix-grid";
import { showLanguage } from "@/lib/i18n/i18n";
import { forgetForms } from "@/lib/unfinished-forms";
import { AnswerRecord, postTo } from "./answers";
import { setPost, takeFailures } from "./rules";

// The shell freezes the prototype like this, so a library that cannot work with it must fail here first.
Object.freeze(Object.prototype);

// With `console.createTask`, React in development makes a task for each element that it draws, for a debugger.
Reflect.deleteProperty(console, "createTask");

// APIs of browsers that happy-dom lacks.
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
);
// Every element is visible; as in browsers, the callback runs asynchronously.
vi.stubGlobal(
  "IntersectionObserver",
  class {
    readonly callback: IntersectionObserverCallback;
    constructor(callback: IntersectionObserverCallback) {
      this.callback = callback;
    }
    observe(target: Element) {
      const entry = { isIntersecting: true, intersectionRatio: 1, target } as unknown as IntersectionObserverEntry;
      queueMicrotask(() => this.callback([entry], this as unknown as IntersectionObserver));
    }
    unobserve() {}
    disconnect() {}
  },
);
Element.prototype.scrollIntoView = () => undefined;
// happy-dom has no layout, but virtual lists need a height.
Object.defineProperty(HTMLElement.prototype, "clientHeight", { configurable: true, get: () => 600 });
Object.defineProperty(HTMLElement.prototype, "clientWidth", { configurable: true, get: () => 1000 });
Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, get: () => 1000 });
// Menus hide when their target is not visible.
HTMLElement.prototype.getBoundingClientRect = () => new DOMRect(10, 10, 200, 40);
Object.defineProperty(document, "fonts", { configurable: true, value: new EventTarget() });
// With reduced motion, menus and dialogs open without a transition.
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

// Every file begins with modules of its own, as libraries are shared by all: see `isolate` in `vite.config.ts`.
afterAll(() => void vi.resetModules());

const answers = new AnswerRecord();
setPost(async (name, body) => {
  const answer = await postTo(inject("rulesServer"), name, body);
  answers.add(name, body, answer);
  return answer;
});
afterAll(() => {
  const { testPath } = expect.getState();
  if (process.env.RULES_ANSWERS && testPath) {
    answers.write(process.env.RULES_ANSWERS, relative(process.cwd(), testPath));
  }
});

// The machine may be busy with several builds. Only what never comes takes so long.
configure({
  asyncUtilTimeout: 60_000,
  // While something is awaited, every look fails with an error that nobody reads; the document is printed once.
  getElementError: (message) => {
    const error = new Error(message ?? undefined);
    error.name = "TestingLibraryElementError";
    return error;
  },
});

beforeAll(() => showLanguage("en"));
afterEach(async ({ task }) => {
  if (task.result?.state === "fail") logDOM(document.body);
  // A test that failed may have left them.
  vi.useRealTimers();
  try {
    // A screen that still loads would be drawn in the window of the next test.
    await waitFor(() => expect(window.__TSR_ROUTER__?.state.status).not.toBe("pending"));
  } finally {
    cleanup();
    // What a module keeps ends with the test.
    palette.close();
    listMemories.clear();
    keptFilters.clear();
    gridMemories.clear();
    forgetForms();
    notifications.cleanQueue();
    notifications.clean();
    localStorage.clear();
  }
  expect(takeFailures()).toEqual([]);
});

// Hash history: the window is served from files, and a reload comes back to the same screen.

import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
} from "@tanstack/react-router";
import { Loading } from "@/components/loading";
import { useBootstrap } from "@/lib/desk";
import { LANDING } from "./places";
import { NoSuchScreen, ScreenFailed } from "./screen-states";
import { Shell } from "./shell";

const text = (value: unknown): string | undefined =>
  // The router reads `?q=12` as a number; all our parameters are text.
  typeof value === "string" ? value : typeof value === "number" || typeof value === "boolean" ? `${value}` : undefined;

/** The named parameters of an address that have a value. */
function texts<const K extends string>(search: Record<string, unknown>, ...names: K[]): { [N in K]?: string } {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = text(search[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  ) as { [N in K]?: string };
}

interface TemplatesSearch {
  q?: string;
  status?: string;
  category?: string;
  language?: string;
  waba?: string;
  archived?: "only" | "all";
  sort?: "name";
  view?: "drafts";
}

interface ActivitySearch {
  q?: string;
  kind?: string;
  status?: string;
  number?: string;
  template?: string;
  contact?: string;
  /** Local times such as `2026-11-20T14:30`. */
  from?: string;
  to?: string;
  event?: string;
  /** Tab of the event that is open. */
  tab?: string;
  /** Event that another one is compared with. */
  compare?: string;
  /** Place of a delivery in the inbox. */
  delivery?: string;
  /** Refused delivery that is open. */
  refused?: string;
  view?: "refused" | "receiver";
}

const root = createRootRoute({ component: Shell, notFoundComponent: NoSuchScreen });

const landing = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: function Landing() {
    return <Navigate to={LANDING[useBootstrap().preferences.persona]} replace />;
  },
});

const templates = createRoute({
  getParentRoute: () => root,
  path: "/templates",
  validateSearch: (search: Record<string, unknown>): TemplatesSearch => ({
    ...texts(search, "q", "status", "category", "language", "waba"),
    ...(search.archived === "only" || search.archived === "all" ? { archived: search.archived } : {}),
    ...(search.sort === "name" ? { sort: "name" } : {}),
    ...(search.view === "drafts" ? { view: "drafts" } : {}),
  }),
  component: lazyRouteComponent(() => import("@/features/templates/templates-screen"), "TemplatesScreen"),
});

const template = createRoute({
  getParentRoute: () => root,
  path: "/templates/$reference",
  validateSearch: (search: Record<string, unknown>) => texts(search, "tab"),
  component: lazyRouteComponent(() => import("@/features/templates/template-screen"), "TemplateScreen"),
});

const composer = createRoute({
  getParentRoute: () => root,
  path: "/drafts/$draft",
  component: lazyRouteComponent(() => import("@/features/composer/composer-screen"), "ComposerScreen"),
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/review",
  component: lazyRouteComponent(() => import("@/features/review/review-screen"), "ReviewScreen"),
});

const sends = createRoute({
  getParentRoute: () => root,
  path: "/sends",
  component: lazyRouteComponent(() => import("@/features/sends/sends-screen"), "SendsScreen"),
});

const newSend = createRoute({
  getParentRoute: () => root,
  path: "/sends/new",
  validateSearch: (search: Record<string, unknown>) => texts(search, "reference"),
  component: lazyRouteComponent(() => import("@/features/sends/new-send-screen"), "NewSendScreen"),
});

const send = createRoute({
  getParentRoute: () => root,
  path: "/sends/$send",
  component: lazyRouteComponent(() => import("@/features/sends/send-screen"), "SendScreen"),
});

const activity = createRoute({
  getParentRoute: () => root,
  path: "/activity",
  validateSearch: (search: Record<string, unknown>): ActivitySearch => ({
    ...texts(search, "q", "kind", "status", "number", "template", "contact", "from", "to"),
    ...texts(search, "event", "tab", "compare", "delivery", "refused"),
    ...(search.view === "refused" || search.view === "receiver" ? { view: search.view } : {}),
  }),
  component: lazyRouteComponent(() => import("@/features/activity/activity-screen"), "ActivityScreen"),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: (search: Record<string, unknown>) => texts(search, "contact"),
  component: lazyRouteComponent(() => import("@/features/inbox/inbox-screen"), "InboxScreen"),
});

const insights = createRoute({
  getParentRoute: () => root,
  path: "/insights",
  component: lazyRouteComponent(() => import("@/features/insights/insights-screen"), "InsightsScreen"),
});

const phone = createRoute({
  getParentRoute: () => root,
  path: "/phone",
  validateSearch: (search: Record<string, unknown>) => texts(search, "recipient"),
  component: lazyRouteComponent(() => import("@/features/sandbox-phone/sandbox-phone-screen"), "SandboxPhoneScreen"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  validateSearch: (search: Record<string, unknown>) => texts(search, "section", "workspace"),
  component: lazyRouteComponent(() => import("@/features/settings/settings-screen"), "SettingsScreen"),
});

const routeTree = root.addChildren([
  landing,
  templates,
  template,
  composer,
  review,
  sends,
  newSend,
  send,
  activity,
  inbox,
  insights,
  phone,
  settings,
]);

export function createAppRouter() {
  return createRouter({
    routeTree,
    history: createHashHistory(),
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultErrorComponent: ScreenFailed,
    defaultNotFoundComponent: NoSuchScreen,
    scrollRestoration: false,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}

// Hash history: the window is served from files, and a reload comes back to the same screen.

import {
  createHashHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { Loading } from "@/components/loading";
import { TemplatesScreen } from "@/features/templates/templates-screen";
import { ADDRESS_KEYS, type TemplateFilter } from "@/lib/template-filter";
import { Landing } from "./landing";
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

interface TemplatesSearch extends TemplateFilter {
  /** The drafts, or the languages of each name beside each other, instead of the list. */
  view?: "drafts" | "languages";
  /** A bulk action on many templates that is open. */
  bulkAction?: string;
  /** The bulk actions there were. */
  log?: "open";
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
  /** Event that another one is compared with. */
  compare?: string;
  /** Refused delivery that is open. */
  refused?: string;
  view?: "refused" | "receiver";
}

const LISTED_PEOPLE = ["everyone", "unanswered", "ending"] as const;

interface InboxSearch {
  contact?: string;
  /** A message of the contact that is marked. */
  message?: string;
  q?: string;
  number?: string;
  unread?: "only";
  /** Also people to whom this app only sent, or only those who have no answer, or who can still get one. */
  people?: (typeof LISTED_PEOPLE)[number];
}

/** Every word of it is read by the screen, which knows what it can show. */
interface InsightsSearch {
  tab?: string;
  /** Days back from today, or `all`, or `dates` for those from and to. */
  range?: string;
  /** Days such as `2026-11-20`. */
  from?: string;
  to?: string;
  by?: string;
  template?: string;
  language?: string;
  category?: string;
  /** The business account that messages went out from, or a number. */
  waba?: string;
  number?: string;
}

interface NewSendSearch {
  /** The template. */
  reference?: string;
  /** Recipient to begin with, who becomes the one that is answered. */
  to?: string;
  /** Who is answered, and the identifier of our number that they wrote to. */
  reply?: string;
  number?: string;
  /** A free text instead of a template. */
  mode?: "text";
}

/** The filter in the words of its text, and whether only what has waited long is shown. */

const root = createRootRoute({ component: Shell, notFoundComponent: NoSuchScreen });

const landing = createRoute({
  getParentRoute: () => root,
  path: "/",
  /** The workspace to be shown, and where in it. */
  validateSearch: (search: Record<string, unknown>) => texts(search, "workspace", "place"),
  component: Landing,
});

const templates = createRoute({
  getParentRoute: () => root,
  path: "/templates",
  validateSearch: (search: Record<string, unknown>): TemplatesSearch => ({
    ...texts(search, ...ADDRESS_KEYS, "bulkAction"),
    ...(search.view === "drafts" || search.view === "languages" ? { view: search.view } : {}),
    ...(search.log === "open" ? { log: search.log } : {}),
  }),
  component: TemplatesScreen,
});

const template = createRoute({
  getParentRoute: () => root,
  path: "/templates/$reference",
  /** The tab, and the versions that are compared there. */
  validateSearch: (search: Record<string, unknown>) => texts(search, "tab", "compare", "with"),
  component: lazyRouteComponent(() => import("@/features/templates/template-screen"), "TemplateScreen"),
});

const newTemplate = createRoute({
  getParentRoute: () => root,
  path: "/templates/new",
  component: lazyRouteComponent(() => import("@/features/templates/new-template-screen"), "NewTemplateScreen"),
});

const removedTemplates = createRoute({
  getParentRoute: () => root,
  path: "/templates/removed",
  component: lazyRouteComponent(() => import("@/features/templates/removed-screen"), "RemovedScreen"),
});

const removedTemplate = createRoute({
  getParentRoute: () => root,
  path: "/templates/removed/$reference",
  component: lazyRouteComponent(() => import("@/features/templates/removed-template-screen"), "RemovedTemplateScreen"),
});

const importTemplates = createRoute({
  getParentRoute: () => root,
  path: "/templates/import",
  /** `copy=yes` shows what copying the templates that were chosen in one workspace to another would do. */
  validateSearch: (search: Record<string, unknown>) => texts(search, "copy", "from", "to"),
  component: lazyRouteComponent(() => import("@/features/import/import-screen"), "ImportScreen"),
});

const composer = createRoute({
  getParentRoute: () => root,
  path: "/drafts/$draft",
  component: lazyRouteComponent(() => import("@/features/composer/composer-screen"), "ComposerScreen"),
});

const review = createRoute({
  getParentRoute: () => root,
  path: "/review",
  validateSearch: (search: Record<string, unknown>): TemplateFilter => texts(search, ...ADDRESS_KEYS),
  component: lazyRouteComponent(() => import("@/features/review/review-screen"), "ReviewScreen"),
});

const sends = createRoute({
  getParentRoute: () => root,
  path: "/sends",
  validateSearch: (search: Record<string, unknown>) => texts(search, "template", "recipient", "state"),
  component: lazyRouteComponent(() => import("@/features/sends/sends-screen"), "SendsScreen"),
});

const newSend = createRoute({
  getParentRoute: () => root,
  path: "/sends/new",
  validateSearch: (search: Record<string, unknown>): NewSendSearch => ({
    ...texts(search, "reference", "to", "reply", "number"),
    ...(search.mode === "text" ? { mode: "text" } : {}),
  }),
  component: lazyRouteComponent(() => import("@/features/sends/new-send-screen"), "NewSendScreen"),
});

const recipients = createRoute({
  getParentRoute: () => root,
  path: "/sends/recipients",
  validateSearch: (search: Record<string, unknown>) => texts(search, "q", "label"),
  component: lazyRouteComponent(() => import("@/features/sends/recipients/recipients-screen"), "RecipientsScreen"),
});

const batches = createRoute({
  getParentRoute: () => root,
  path: "/sends/batches",
  component: lazyRouteComponent(() => import("@/features/sends/batches/batches-screen"), "BatchesScreen"),
});

const newBatch = createRoute({
  getParentRoute: () => root,
  path: "/sends/batches/new",
  validateSearch: (search: Record<string, unknown>) => texts(search, "reference"),
  component: lazyRouteComponent(() => import("@/features/sends/batches/new-batch-screen"), "NewBatchScreen"),
});

const comparison = createRoute({
  getParentRoute: () => root,
  path: "/sends/batches/compare",
  validateSearch: (search: Record<string, unknown>) => texts(search, "first", "second"),
  component: lazyRouteComponent(() => import("@/features/sends/batches/comparison-screen"), "ComparisonScreen"),
});

const batch = createRoute({
  getParentRoute: () => root,
  path: "/sends/batches/$batch",
  validateSearch: (search: Record<string, unknown>) => texts(search, "state", "group"),
  component: lazyRouteComponent(() => import("@/features/sends/batches/batch-screen"), "BatchScreen"),
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
    ...texts(search, "event", "compare", "refused"),
    ...(search.view === "refused" || search.view === "receiver" ? { view: search.view } : {}),
  }),
  component: lazyRouteComponent(() => import("@/features/activity/activity-screen"), "ActivityScreen"),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  validateSearch: (search: Record<string, unknown>): InboxSearch => {
    const people = LISTED_PEOPLE.find((choice) => choice === search.people);
    return {
      ...texts(search, "contact", "message", "q", "number"),
      ...(search.unread === "only" ? { unread: search.unread } : {}),
      ...(people === undefined ? {} : { people }),
    };
  },
  component: lazyRouteComponent(() => import("@/features/inbox/inbox-screen"), "InboxScreen"),
});

const insights = createRoute({
  getParentRoute: () => root,
  path: "/insights",
  validateSearch: (search: Record<string, unknown>): InsightsSearch =>
    texts(search, "tab", "range", "from", "to", "by", "template", "language", "category", "waba", "number"),
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
  /**
   * Of a workspace, the field to correct, and the number that it is about; of the support tools, the stored or rejected
   * delivery that is open.
   */
  validateSearch: (search: Record<string, unknown>) =>
    texts(search, "section", "workspace", "field", "number", "delivery", "refused"),
  component: lazyRouteComponent(() => import("@/features/settings/settings-screen"), "SettingsScreen"),
});

const help = createRoute({
  getParentRoute: () => root,
  path: "/help",
  validateSearch: (search: Record<string, unknown>) => texts(search, "page"),
  component: lazyRouteComponent(() => import("@/features/help/help-screen"), "HelpScreen"),
});

const routeTree = root.addChildren([
  landing,
  templates,
  template,
  newTemplate,
  removedTemplates,
  removedTemplate,
  importTemplates,
  composer,
  review,
  sends,
  newSend,
  recipients,
  batches,
  newBatch,
  comparison,
  batch,
  send,
  activity,
  inbox,
  insights,
  phone,
  settings,
  help,
]);

/** `first` is shown where the address names no screen. */
export function createAppRouter(first: string) {
  const history = createHashHistory();
  // Not by a navigation: that would draw the window once more.
  if (history.location.href === "/") history.replace(first);
  return createRouter({
    routeTree,
    history,
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultErrorComponent: ScreenFailed,
    defaultNotFoundComponent: NoSuchScreen,
    scrollRestoration: false,
  });
}

export type AppRouter = ReturnType<typeof createAppRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: AppRouter;
  }
}

// The pages of the user guide in the language of the window, and which of them belongs to a screen.

import { queryOptions } from "@tanstack/react-query";
import type { Language } from "@/lib/i18n/languages";
import type { HelpPage } from "./tree";

// One chunk a language: only the one shown is fetched.
const LOADERS: Record<Language, () => Promise<{ default: HelpPage[] }>> = {
  en: () => import("virtual:help/en"),
  "pt-BR": () => import("virtual:help/pt-BR"),
  es: () => import("virtual:help/es"),
};

export const helpQuery = (language: string) =>
  queryOptions({
    queryKey: ["help", language] as const,
    queryFn: async () => (await (LOADERS[language as Language] ?? LOADERS.en)()).default,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The page about a screen, by the address pattern of the screen. */
const PAGE_OF_SCREEN: Partial<Record<string, string>> = {
  "/templates": "find-templates",
  "/templates/new": "write-a-template",
  "/templates/$reference": "edit-a-template-that-exists",
  "/templates/removed": "follow-reviews",
  "/templates/import": "import-export-and-copy-templates",
  "/drafts/$draft": "write-a-template",
  "/review": "follow-reviews",
  "/sends": "send-a-test-message",
  "/sends/new": "send-a-test-message",
  "/sends/$send": "send-a-test-message",
  "/sends/recipients": "keep-an-address-book",
  "/sends/batches": "send-to-many-people",
  "/sends/batches/new": "send-to-many-people",
  "/sends/batches/$batch": "send-to-many-people",
  "/activity": "see-what-came-in",
  "/inbox": "answer-people",
  "/insights": "read-the-figures",
  "/phone": "try-it-on-the-sandbox-phone",
  "/settings": "connect-a-provider",
};

/** The page about a part of the settings. */
const PAGE_OF_SECTION: Partial<Record<string, string>> = {
  prices: "know-what-messages-cost",
  receiver: "set-up-webhooks",
  secrets: "secrets-and-the-keyring",
  storage: "storage-and-backup",
  notifications: "follow-reviews",
  support: "tools-for-support",
  updates: "new-versions",
  about: "troubleshooting",
  appearance: "start",
};

/** All pages that screens lead to, for the test that they exist. */
export const LINKED_PAGES = [...Object.values(PAGE_OF_SCREEN), ...Object.values(PAGE_OF_SECTION)];

/** The page about a screen; nothing for a screen without one. */
export function helpPageOf(screen: string, section: string | undefined): string | undefined {
  return (screen === "/settings" && section !== undefined && PAGE_OF_SECTION[section]) || PAGE_OF_SCREEN[screen];
}

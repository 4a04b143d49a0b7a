import type { SpotlightActionData } from "@mantine/spotlight";
import {
  IconAddressBook,
  IconAntennaBars5,
  IconHelp,
  IconMessages,
  IconPencil,
  IconSearch,
  IconTemplate,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useWorkspace } from "@/lib/desk";
import { explicitNumber } from "@/lib/explicit-number";
import { helpQuery } from "@/lib/help/pages";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { templateQuery } from "@/lib/template-filter";
import { hasPunctuated, hasWords, isPunctuated } from "@/lib/words";

/** Maximum number of results of a kind. */
const FOUND = 5;

/** Templates that are searched for punctuation, which the host does not do. */
const MAX_SEARCHED = 100;

interface Found {
  templates: SpotlightActionData[];
  drafts: SpotlightActionData[];
  people: SpotlightActionData[];
  /** Pages of the user guide, by their headings. */
  help: SpotlightActionData[];
  /** The same words as a search of a list; offered once everything else was searched, so that Enter opens a hit. */
  searches: SpotlightActionData[];
  isPending: boolean;
}

/** What the host finds in a workspace for the words of the palette; nothing for none. */
export function useFound(words: string): Found {
  const { t, i18n } = useTranslation("shell");
  const navigate = useNavigate();
  const language = useLanguageName();
  const { id: workspace } = useWorkspace();
  const enabled = words !== "";
  const templates = useQuery({
    ...queries.templates(
      templateQuery(workspace, { q: words, archived: "all" }),
      0,
      isPunctuated(words) ? MAX_SEARCHED : FOUND,
    ),
    enabled,
  });
  const drafts = useQuery({ ...queries.drafts(workspace), enabled });
  const contacts = useQuery({ ...queries.foundContacts(workspace, words, FOUND), enabled });
  const recipients = useQuery({ ...queries.foundRecipients(workspace, words), enabled });
  const pages = useQuery({ ...helpQuery(i18n.language), enabled });
  if (!enabled) return { templates: [], drafts: [], people: [], help: [], searches: [], isPending: false };
  const isPending = [templates, drafts, contacts, recipients, pages].some(
    (query) => query.isPending || query.isPlaceholderData,
  );
  const searches: SpotlightActionData[] = [
    {
      id: "search",
      label: t("palette.searchTemplates", { query: words }),
      leftSection: <IconSearch size={18} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to: "/templates", search: { q: words } }),
    },
    {
      id: "searchSends",
      label: t("palette.searchSends", { query: words }),
      leftSection: <IconSearch size={18} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to: "/sends", search: { recipient: words } }),
    },
    {
      id: "searchActivity",
      label: t("palette.searchActivity", { query: words }),
      leftSection: <IconAntennaBars5 size={18} stroke={1.6} aria-hidden />,
      onClick: () => void navigate({ to: "/activity", search: { q: words } }),
    },
  ];

  return {
    templates: (templates.data?.rows ?? [])
      .filter(({ name, excerpt }) => hasPunctuated(`${name} ${excerpt}`, words))
      .slice(0, FOUND)
      .map((row) => ({
        id: `template ${row.reference}`,
        label: row.name,
        description: `${language(row.language)} · ${row.excerpt}`,
        leftSection: <IconTemplate size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/templates/$reference", params: { reference: row.reference } }),
      })),
    drafts: (drafts.data ?? [])
      .filter(({ name, excerpt }) => hasWords(`${name} ${excerpt}`, words))
      .slice(0, FOUND)
      .map(({ id, name, language: code, excerpt }) => ({
        id: `draft ${id}`,
        label: name || t("palette.unnamedDraft"),
        description: `${language(code)} · ${excerpt}`,
        leftSection: <IconPencil size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/drafts/$draft", params: { draft: id } }),
      })),
    people: [
      ...(contacts.data?.rows ?? []).map(({ contact, formatted, name, excerpt }) => ({
        id: `contact ${contact}`,
        label: name || formatted,
        description: [t("palette.conversation"), name && formatted, excerpt].filter(Boolean).join(" · "),
        leftSection: <IconMessages size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/inbox", search: { contact } }),
      })),
      ...(recipients.data?.rows ?? []).slice(0, FOUND).map(({ id, name, number, formatted }) => ({
        id: `recipient ${id}`,
        label: name || formatted || number,
        description: `${t("palette.sendsTo")} · ${formatted || number}`,
        leftSection: <IconAddressBook size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/sends", search: { recipient: explicitNumber(number) } }),
      })),
    ],
    help: (pages.data ?? [])
      .filter(({ title, group }) => hasWords(`${t("rail.help")} ${title} ${group}`, words))
      .slice(0, FOUND)
      .map(({ id, title, group }) => ({
        id: `help ${id}`,
        label: title,
        description: group,
        leftSection: <IconHelp size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/help", search: { page: id } }),
      })),
    searches: isPending ? [] : searches,
    isPending,
  };
}

import type { SpotlightActionData } from "@mantine/spotlight";
import {
  IconAddressBook,
  IconAntennaBars5,
  IconHelp,
  IconMessages,
  IconPencil,
  IconSearch,
  IconStack2,
  IconTemplate,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { exactTime } from "@/components/instant";
import { isStarted } from "@/features/sends/batches/shown-state";
import { useSourceText } from "@/features/sends/batches/source-text";
import { sendsQueries } from "@/features/sends/queries";
import { useWorkspace } from "@/lib/desk";
import { explicitNumber } from "@/lib/explicit-number";
import { helpQuery } from "@/lib/help/pages";
import { queries } from "@/lib/ipc/queries";
import { useLanguageName } from "@/lib/language-name";
import { templateQuery } from "@/lib/template-filter";
import { useHasSeveralWabas, useWabaName } from "@/lib/waba-names";
import { hasPunctuated, hasWords, isPunctuated } from "@/lib/words";

/** Maximum number of results of a kind. */
const FOUND = 5;

/** Templates that are searched for punctuation, which the host does not do. */
const MAX_SEARCHED = 100;

interface Found {
  templates: SpotlightActionData[];
  drafts: SpotlightActionData[];
  batches: SpotlightActionData[];
  people: SpotlightActionData[];
  /** Pages of the user guide, by their headings. */
  help: SpotlightActionData[];
  /** The same words as a search of a list; offered once everything else was searched, so that Enter opens a hit. */
  searches: SpotlightActionData[];
  isPending: boolean;
}

/**
 * What the host finds in a workspace for the words of the palette; nothing for none. A kind is shown once those above it
 * were searched: rows that came in between would move what a person is about to open.
 */
export function useFound(words: string): Found {
  const { t, i18n } = useTranslation("shell");
  const navigate = useNavigate();
  const language = useLanguageName();
  const source = useSourceText();
  const { id: workspace } = useWorkspace();
  const wabaName = useWabaName(workspace);
  const hasSeveralWabas = useHasSeveralWabas(workspace);
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
  const batches = useQuery({ ...sendsQueries.batches(workspace), enabled });
  const pages = useQuery({ ...helpQuery(i18n.language), enabled });
  if (!enabled) return { templates: [], drafts: [], batches: [], people: [], help: [], searches: [], isPending: false };
  const isWaiting = (...above: Pick<typeof pages, "isPending" | "isPlaceholderData">[]) =>
    above.some((query) => query.isPending || query.isPlaceholderData);
  const isPending = isWaiting(templates, drafts, batches, contacts, recipients, pages);
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
        description: [language(row.language), hasSeveralWabas && row.wabas.map(wabaName).join(", "), row.excerpt]
          .filter(Boolean)
          .join(" · "),
        leftSection: <IconTemplate size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/templates/$reference", params: { reference: row.reference } }),
      })),
    drafts: (isWaiting(templates) ? [] : (drafts.data ?? []))
      .filter(({ name, excerpt }) => hasWords(`${name} ${excerpt}`, words))
      .slice(0, FOUND)
      .map(({ id, name, language: code, excerpt }) => ({
        id: `draft ${id}`,
        label: name || t("palette.unnamedDraft"),
        description: `${language(code)} · ${excerpt}`,
        leftSection: <IconPencil size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/drafts/$draft", params: { draft: id } }),
      })),
    batches: (isWaiting(templates, drafts) ? [] : (batches.data ?? []))
      .filter((batch) => isStarted(batch) && hasWords(`${batch.templateName} ${source(batch)}`, words))
      .slice(0, FOUND)
      .map((batch) => ({
        id: `batch ${batch.id}`,
        label: batch.templateName,
        description: [
          language(batch.language),
          source(batch),
          exactTime(batch.startedAt ?? batch.createdAt, i18n.language),
        ].join(" · "),
        leftSection: <IconStack2 size={18} stroke={1.6} aria-hidden />,
        onClick: () => void navigate({ to: "/sends/batches/$batch", params: { batch: batch.id } }),
      })),
    people: isWaiting(templates, drafts, batches, contacts)
      ? []
      : [
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
    help: (isPending ? [] : (pages.data ?? []))
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

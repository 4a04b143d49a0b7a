import { Kbd } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import type { SpotlightActionData } from "@mantine/spotlight";
import {
  IconArrowsExchange,
  IconBraces,
  IconBuilding,
  IconFolderDown,
  IconKeyboard,
  IconLink,
  IconMessage,
  IconMoon,
  IconPlus,
  IconRefresh,
  IconRoute,
  IconSend,
  IconUsers,
  IconWorld,
  type TablerIcon,
} from "@tabler/icons-react";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useExportTemplates } from "@/components/export-templates";
import { useImport } from "@/features/templates/use-import";
import { useBootstrap, usePreferences, useWorkspace } from "@/lib/desk";
import { LANGUAGE_NAMES, LANGUAGES } from "@/lib/i18n/languages";
import { useRefreshTemplates } from "@/lib/refresh";
import { type ShortcutName, useKeyNames, useShortcutKeys } from "@/lib/shortcuts";
import { templateQuery } from "@/lib/template-filter";
import { useStartTour } from "@/lib/tour";
import { DESTINATIONS, VIEWS } from "./destinations";
import { pageLink } from "./page-link";
import { useShowShortcuts } from "./show-shortcuts";
import { WorkspaceKey } from "./workspace-key";
import { useGoToWorkspace } from "./workspace-switching";

interface PaletteActions {
  screens: SpotlightActionData[];
  /** Offered once something is typed. */
  views: SpotlightActionData[];
  actions: SpotlightActionData[];
}

/** Screens, views and actions of the command palette. */
export function usePaletteActions(): PaletteActions {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { workspaces } = useBootstrap();
  const [, change] = usePreferences();
  const goTo = useGoToWorkspace();
  const { refresh } = useRefreshTemplates();
  const { run: write } = useExportTemplates();
  const showShortcuts = useShowShortcuts();
  const importTemplates = useImport();
  const clipboard = useClipboard();
  const link = useRouterState({
    select: ({ location: { pathname, search } }) => pageLink(pathname, search.event, workspace.id),
  });
  const startTour = useStartTour();

  const icon = (Icon: TablerIcon) => <Icon size={18} stroke={1.6} aria-hidden />;
  const action = (name: keyof typeof ICONS, onClick: () => void, shortcut?: ShortcutName): SpotlightActionData => ({
    id: name,
    label: t(`palette.action.${name}`),
    keywords: t(`palette.words.${name}`),
    leftSection: icon(ICONS[name]),
    rightSection: shortcut && <Keys name={shortcut} />,
    onClick,
  });

  return {
    screens: DESTINATIONS.map(({ to, text, Icon }) => ({
      id: to,
      label: t(text),
      leftSection: icon(Icon),
      rightSection: to === "/settings" && <Keys name="settings" />,
      onClick: () => void navigate({ to }),
    })),
    views: VIEWS.map(({ text, Icon, ...target }) => ({
      id: text,
      label: t(`places.${text}`),
      keywords: t(`palette.words.${text}`),
      leftSection: icon(Icon),
      onClick: () => void navigate(target),
    })),
    actions: [
      action("newTemplate", () => void navigate({ to: "/templates/new" }), "newTemplate"),
      action("testSend", () => void navigate({ to: "/sends/new", search: {} })),
      action("newBatch", () => void navigate({ to: "/sends/batches/new", search: {} })),
      action("sendText", () => void navigate({ to: "/sends/new", search: { mode: "text" } })),
      action("refresh", () => refresh(workspace.id)),
      action("import", importTemplates),
      action("exportAll", () => {
        const query = { ...templateQuery(workspace.id, { archived: "all" }), offset: 0, limit: 1 };
        write({ kind: "query", query });
      }),
      action(
        "addWorkspace",
        () => void navigate({ to: "/settings", search: { section: "workspace", workspace: "new" } }),
      ),
      action("firstSteps", () => {
        change({ firstSteps: true });
        void navigate({ to: "/templates", search: {} });
      }),
      action("tour", startTour),
      action("shortcuts", showShortcuts, "shortcuts"),
      ...(link === undefined
        ? []
        : [
            action("copyLink", () => {
              clipboard.copy(link);
              notifications.show({ message: t("link.copied") });
            }),
          ]),
      ...(["light", "dark", "system"] as const).map((colorScheme) => ({
        id: colorScheme,
        label: `${t("palette.colors")}: ${t(`palette.${colorScheme}`)}`,
        keywords: t("palette.words.appearance"),
        leftSection: icon(IconMoon),
        onClick: () => change({ colorScheme }),
      })),
      ...LANGUAGES.map((language) => ({
        id: `language ${language}`,
        label: `${t("palette.language")}: ${LANGUAGE_NAMES[language]}`,
        keywords: `${t("palette.words.language")} ${LANGUAGE_WORDS[language]}`,
        leftSection: icon(IconWorld),
        onClick: () => change({ language }),
      })),
      ...workspaces.flatMap(({ id, name }, index) =>
        id === workspace.id
          ? []
          : {
              id: `workspace ${id}`,
              label: `${t("palette.workspaces")}: ${name}`,
              leftSection: icon(IconArrowsExchange),
              rightSection: <WorkspaceKey index={index} />,
              onClick: () => goTo(id),
            },
      ),
    ],
  };
}

const ICONS = {
  newTemplate: IconPlus,
  testSend: IconSend,
  newBatch: IconUsers,
  sendText: IconMessage,
  refresh: IconRefresh,
  import: IconBraces,
  exportAll: IconFolderDown,
  addWorkspace: IconBuilding,
  firstSteps: IconRoute,
  tour: IconRoute,
  shortcuts: IconKeyboard,
  copyLink: IconLink,
} as const satisfies Record<string, TablerIcon>;

/** Each language is also found by its English name. */
const LANGUAGE_WORDS: Record<(typeof LANGUAGES)[number], string> = {
  en: "English",
  "pt-BR": "Portuguese Brazil",
  es: "Spanish",
};

function Keys({ name }: { name: ShortcutName }) {
  const keyNames = useKeyNames();
  const keysOf = useShortcutKeys();
  return (
    <Kbd size="xs" aria-hidden>
      {keyNames(keysOf(name)[0] ?? "").join(" ")}
    </Kbd>
  );
}

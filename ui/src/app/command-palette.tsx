import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconArrowsExchange, IconMoon, IconPlus, IconRefresh, IconSearch, IconTemplate } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBootstrap, usePreferences, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useRefreshTemplates } from "@/lib/refresh";
import { templateQuery } from "@/lib/template-filter";
import { DESTINATIONS, VIEWS } from "./destinations";
import { WorkspaceKey } from "./workspace-key";
import { useGoToWorkspace } from "./workspace-switching";

const FOUND = 6;

/** Ctrl/Cmd+K: finds destinations, templates and common actions. */
export function CommandPalette() {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { workspaces } = useBootstrap();
  const [, change] = usePreferences();
  const goTo = useGoToWorkspace();
  const createDraft = useCommand("create_draft");
  const { refresh } = useRefreshTemplates();
  const [query, setQuery] = useState("");
  const words = query.trim();
  const found = useQuery({
    ...queries.templates(templateQuery(workspace.id, { q: words, archived: "all" }), 0, FOUND),
    enabled: words !== "",
  });
  const fits = ({ label }: SpotlightActionData) => label?.toLowerCase().includes(words.toLowerCase());

  const newDraft = () =>
    createDraft.mutate(
      { workspace: workspace.id, edit: false },
      { onSuccess: ({ id }) => void navigate({ to: "/drafts/$draft", params: { draft: id } }) },
    );

  const destinations = DESTINATIONS.map(({ to, text, Icon }) => ({
    id: to,
    label: t(text),
    leftSection: <Icon size={18} stroke={1.6} />,
    onClick: () => void navigate({ to }),
  }));
  const views = VIEWS.map(({ text, Icon, ...target }) => ({
    id: text,
    label: t(text),
    leftSection: <Icon size={18} stroke={1.6} />,
    onClick: () => void navigate(target),
  }));

  const actions = [
    { id: "new", label: t("palette.newDraft"), leftSection: <IconPlus size={18} />, onClick: newDraft },
    {
      id: "refresh",
      label: t("palette.refresh"),
      leftSection: <IconRefresh size={18} />,
      onClick: () => refresh(workspace.id),
    },
    ...(["light", "dark", "system"] as const).map((colorScheme) => ({
      id: colorScheme,
      label: `${t("palette.colors")}: ${t(`palette.${colorScheme}`)}`,
      leftSection: <IconMoon size={18} />,
      onClick: () => change({ colorScheme }),
    })),
    ...workspaces.flatMap(({ id, name }, index) =>
      id === workspace.id
        ? []
        : {
            id: `workspace ${id}`,
            label: `${t("palette.workspaces")}: ${name}`,
            leftSection: <IconArrowsExchange size={18} />,
            rightSection: <WorkspaceKey index={index} />,
            onClick: () => goTo(id),
          },
    ),
  ].filter(fits);

  const templates: SpotlightActionData[] =
    words === ""
      ? []
      : [
          ...(found.data?.rows ?? []).map((row) => ({
            id: `template ${row.reference}`,
            label: row.name,
            description: `${row.language} · ${row.excerpt}`,
            leftSection: <IconTemplate size={18} />,
            onClick: () => void navigate({ to: "/templates/$reference", params: { reference: row.reference } }),
          })),
          {
            id: "search",
            label: t("palette.searchTemplates", { query: words }),
            leftSection: <IconSearch size={18} />,
            onClick: () => void navigate({ to: "/templates", search: { q: words } }),
          },
        ];

  const groups: SpotlightActionGroupData[] = [
    { group: t("palette.goTo"), actions: [...destinations, ...(words === "" ? [] : views)].filter(fits) },
    { group: t("palette.actions"), actions },
    { group: t("palette.templates"), actions: templates },
  ].filter((group) => group.actions.length > 0);

  return (
    <Spotlight
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      // Narrowed above: the found templates match by their text, which the label does not show.
      filter={(_, all) => all}
      nothingFound={t("palette.nothing")}
      shortcut={["mod + K"]}
      searchProps={{
        leftSection: <IconSearch size={18} />,
        placeholder: t("palette.placeholder"),
        "aria-label": t("palette.open"),
      }}
      maxHeight={420}
      scrollable
      highlightQuery
      lockScroll={false}
    />
  );
}

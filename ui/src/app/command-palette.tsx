import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { IconArrowsExchange, IconMoon, IconPlus, IconRefresh, IconSearch, IconTemplate } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useBootstrap, usePreferences, useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { useRefreshTemplates } from "@/lib/refresh";
import { PLACES } from "./places";

const FOUND = 6;

/** Ctrl/Cmd+K: every place, template and common action by typing. */
export function CommandPalette() {
  const { t } = useTranslation("shell");
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { workspaces } = useBootstrap();
  const [, change] = usePreferences();
  const createDraft = useCommand("create_draft");
  const { refresh } = useRefreshTemplates();
  const [query, setQuery] = useState("");
  const words = query.trim();
  const found = useInfiniteQuery({
    ...queries.templates({ workspace: workspace.id, search: words, sort: "newest" }),
    enabled: words !== "",
  });
  const fits = ({ label }: SpotlightActionData) => label?.toLowerCase().includes(words.toLowerCase());

  const newDraft = () =>
    createDraft.mutate(
      { workspace: workspace.id, edit: false },
      { onSuccess: ({ id }) => void navigate({ to: "/drafts/$draft", params: { draft: id } }) },
    );

  const places = PLACES.map(({ to, text, Icon }) => ({
    id: to,
    label: t(text),
    leftSection: <Icon size={18} stroke={1.6} />,
    onClick: () => void navigate({ to }),
  })).filter(fits);

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
    ...workspaces
      .filter(({ id }) => id !== workspace.id)
      .map(({ id, name }) => ({
        id: `workspace ${id}`,
        label: `${t("palette.workspaces")}: ${name}`,
        leftSection: <IconArrowsExchange size={18} />,
        onClick: () => {
          change({ workspace: id });
          void navigate({ to: "/" });
        },
      })),
  ].filter(fits);

  const templates: SpotlightActionData[] =
    words === ""
      ? []
      : [
          ...(found.data?.pages[0]?.rows ?? []).slice(0, FOUND).map((row) => ({
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
    { group: t("palette.goTo"), actions: places },
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

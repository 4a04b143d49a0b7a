import { ActionIcon, Button, Menu, TextInput, Tooltip } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconBookmarkPlus, IconBookmarks, IconCheck, IconSettings, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SavedView } from "@/bindings/app";
import { MenuOnDemand } from "@/components/on-demand";
import { showUndo } from "@/components/undo-toast";
import { useWorkspace } from "@/lib/desk";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useListViews } from "@/lib/list-views";
import { readFilter, type TemplateFilter, writeFilter } from "@/lib/template-filter";
import { useForm } from "@/lib/use-form";
import { hasChips } from "./filter-chips";
import { SaveViewForm } from "./save-view-form";
import classes from "./template-filters.module.css";

interface ViewsMenuProps {
  screen: string;
  /** The one that is set. */
  filter: TemplateFilter;
  onApply: (filter: TemplateFilter) => void;
}

/** The filters that were given a name; the one that is set names the button. */
export function ViewsMenu({ screen, filter, onApply }: ViewsMenuProps) {
  const { t } = useTranslation("filters");
  const { views } = useListViews(useWorkspace().id);
  const own = views?.saved.filter((view) => view.screen === screen) ?? [];
  const text = writeFilter(filter);
  const active = own.find((view) => view.filter === text);
  const save = () => modals.open({ title: t("view.save"), children: <SaveViewForm screen={screen} filter={text} /> });
  const manage = () => modals.open({ title: t("view.manage"), size: "lg", children: <ManageViews screen={screen} /> });
  return (
    <MenuOnDemand
      position="bottom-end"
      shadow="md"
      width={260}
      target={
        <Button
          h={36}
          variant="default"
          className={classes.facet}
          data-active={active !== undefined || undefined}
          aria-label={active ? t("view.active", { name: active.name, nest: false }) : undefined}
          leftSection={<IconBookmarks size={15} aria-hidden />}
        >
          <span className={classes.viewName}>{active?.name ?? t("view.menu")}</span>
        </Button>
      }
    >
      {() => (
        <>
          {own.length === 0 && <Menu.Item disabled>{t("view.none")}</Menu.Item>}
          {own.map((view) => (
            <Menu.Item
              key={view.id}
              aria-current={view === active || undefined}
              rightSection={view === active && <IconCheck size={15} aria-hidden />}
              onClick={() => onApply(readFilter(view.filter))}
            >
              {view.name}
            </Menu.Item>
          ))}
          {hasChips(filter) && active === undefined && (
            <Menu.Item leftSection={<IconBookmarkPlus size={15} aria-hidden />} onClick={save}>
              {t("view.saveItem")}
            </Menu.Item>
          )}
          {own.length > 0 && (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconSettings size={15} aria-hidden />} onClick={manage}>
                {t("view.manageAction")}
              </Menu.Item>
            </>
          )}
        </>
      )}
    </MenuOnDemand>
  );
}

function ManageViews({ screen }: { screen: string }) {
  const { t } = useTranslation("filters");
  const { views } = useListViews(useWorkspace().id);
  const own = views?.saved.filter((view) => view.screen === screen) ?? [];
  return own.length === 0 ? (
    <p className={classes.nothing}>{t("view.none")}</p>
  ) : (
    <ul className={classes.views}>
      {own.map((view) => (
        <View key={view.id} view={view} />
      ))}
    </ul>
  );
}

function View({ view }: { view: SavedView }) {
  const { t } = useTranslation("filters");
  const { rename, remove, restore } = useListViews(useWorkspace().id);
  const [failure, setFailure] = useState<DeskFailure>();
  const form = useForm({ initial: { name: view.name }, errors: [failure?.error], fieldOf: () => "name" });
  const { name } = form.values;
  const commit = () => {
    setFailure(undefined);
    if (name.trim() !== view.name) rename(view.id, name.trim(), { onError: setFailure });
  };
  const drop = () => {
    remove(view.id);
    showUndo({ message: t("view.removed", { name: view.name }), undo: () => restore(view) });
  };
  return (
    <li className={classes.view}>
      <TextInput
        aria-label={t("view.nameOf", { name: view.name })}
        value={name}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
        onBlur={commit}
        onKeyDown={(event) => event.key === "Enter" && commit()}
        error={form.errorOf("name") ?? (failure && t(`${failure.code}.title`, { ns: "errors" }))}
      />
      <code className={classes.text}>{view.filter}</code>
      <Tooltip label={t("view.remove", { name: view.name })}>
        <ActionIcon aria-label={t("view.remove", { name: view.name })} onClick={drop}>
          <IconTrash size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </li>
  );
}

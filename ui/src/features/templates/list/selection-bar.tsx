import { Button, Menu } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconChevronDown, IconCopy, IconFolderDown, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { TemplateTarget } from "@/bindings/app";
import { useExportTemplates } from "@/components/export-templates";
import { useBootstrap } from "@/lib/desk";
import { usePlanBulkAction } from "../bulk-actions/use-bulk-actions";
import { useCopyTo } from "../use-copy-to";
import classes from "./template-list.module.css";

interface SelectionBarProps {
  count: number;
  target: TemplateTarget;
  busy: boolean;
  onClear: () => void;
}

/** What can be done with the templates that are chosen together. */
export function SelectionBar({ count, target, busy, onClear }: SelectionBarProps) {
  const { t } = useTranslation("templates");
  const { workspaces } = useBootstrap();
  const { plan, isPending } = usePlanBulkAction();
  const { run: write, isPending: isWriting } = useExportTemplates();
  const copyTo = useCopyTo();
  const off = busy || isPending;
  return (
    <section className={classes.selection} aria-label={t("selection.title")} data-action-bar>
      <span role="status" className={classes.selected}>
        {t("selection.count", { count })}
      </span>
      <Button
        size="compact-sm"
        variant="default"
        disabled={off}
        leftSection={<IconArchive size={14} aria-hidden />}
        onClick={() => plan("archive", target)}
      >
        {t("selection.archive")}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={off}
        leftSection={<IconArchiveOff size={14} aria-hidden />}
        onClick={() => plan("unarchive", target)}
      >
        {t("selection.unarchive")}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        disabled={off}
        loading={isWriting}
        leftSection={<IconFolderDown size={14} aria-hidden />}
        onClick={() => write(target)}
      >
        {t("selection.export")}
      </Button>
      <Menu position="bottom-start" shadow="md">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="default"
            disabled={off}
            leftSection={<IconCopy size={14} aria-hidden />}
            rightSection={<IconChevronDown size={13} aria-hidden />}
          >
            {t("selection.copy")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t("selection.copyWhere")}</Menu.Label>
          {workspaces.map(({ id, name }) => (
            <Menu.Item key={id} onClick={() => copyTo(id, target)}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <Button size="compact-sm" variant="subtle" onClick={onClear}>
        {t("selection.clear")}
      </Button>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        disabled={off}
        className={classes.apart}
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => plan("delete", target)}
      >
        {t("selection.delete")}
      </Button>
    </section>
  );
}

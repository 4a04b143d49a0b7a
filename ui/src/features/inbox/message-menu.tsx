import { ActionIcon, Menu } from "@mantine/core";
import { IconChevronDown, IconCopy, IconSend, IconTemplate, IconWebhook } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { ConversationMessage } from "@/bindings/app";
import { isTechnical } from "./facts";
import classes from "./message.module.css";

/** What can be done with a message, and where it is followed. */
export function MessageMenu({ message }: { message: ConversationMessage }) {
  const { t } = useTranslation("inbox");
  const { kind, text, facts, event, send, template } = message;
  const replyIds = facts.filter(({ label }) => isTechnical(kind, label));
  if (text === "" && !event && !send) return null;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon className={classes.menu} size="sm" radius="xl" variant="default" aria-label={t("menu.label")}>
          <IconChevronDown size={15} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {text !== "" && (
          <Menu.Item
            leftSection={<IconCopy size={15} aria-hidden />}
            onClick={() => void navigator.clipboard.writeText(text)}
          >
            {t("menu.copy")}
          </Menu.Item>
        )}
        {send && (
          <Menu.Item
            leftSection={<IconSend size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/sends/$send" params={{ send }} {...props} />}
          >
            {t("menu.send")}
          </Menu.Item>
        )}
        {template?.reference && (
          <Menu.Item
            leftSection={<IconTemplate size={15} aria-hidden />}
            renderRoot={(props) => (
              <Link to="/templates/$reference" params={{ reference: template.reference ?? "" }} {...props} />
            )}
          >
            {t("menu.template", { name: template.name })}
          </Menu.Item>
        )}
        {event && (
          <Menu.Item
            leftSection={<IconWebhook size={15} aria-hidden />}
            renderRoot={(props) => <Link to="/activity" search={{ event }} {...props} />}
          >
            {t("menu.event")}
          </Menu.Item>
        )}
        {replyIds.map(({ label, value }) => (
          <Menu.Label key={label}>
            {t("fact.replyId")}: <code>{value}</code>
          </Menu.Label>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

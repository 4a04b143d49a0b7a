import { ActionIcon } from "@mantine/core";
import { IconHelp } from "@tabler/icons-react";
import { Link, useRouterState } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { helpPageOf } from "@/lib/help/pages";
import { Hint } from "./hint";

/** Leads to the page of the user guide about the screen; nothing for a screen without one. */
export function HelpLink() {
  const { t } = useTranslation("help");
  const page = useRouterState({
    select: ({ matches }) => {
      const match = matches.at(-1);
      const search = match?.search as { section?: string } | undefined;
      return match && helpPageOf(match.fullPath, search?.section);
    },
  });
  if (page === undefined) return null;
  return (
    <Hint label={() => t("about")}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t("about")}
        renderRoot={(props) => <Link to="/help" search={{ page }} {...props} />}
      >
        <IconHelp size={16} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
}

import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

/** The way back keeps the filters; a screen opened by address alone has none to go back to. */
export function BackToTemplates() {
  const { t } = useTranslation("templates");
  const navigate = useNavigate();
  const back = () => (window.history.length > 1 ? window.history.back() : void navigate({ to: "/templates" }));
  return (
    <Tooltip label={t("detail.back")}>
      <ActionIcon onClick={back} aria-label={t("detail.back")}>
        <IconArrowLeft size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

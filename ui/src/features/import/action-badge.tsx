import { Badge } from "@mantine/core";
import { IconBan, IconCirclePlus, IconEqual, IconPencil } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { ImportStep } from "@/bindings/app";

const LOOKS = {
  create: { color: "teal", Icon: IconCirclePlus },
  edit: { color: "blue", Icon: IconPencil },
  unchanged: { color: "gray", Icon: IconEqual },
  blocked: { color: "red", Icon: IconBan },
} as const;

/** What would happen with a file. */
export function ActionBadge({ action }: { action: ImportStep["action"] }) {
  const { t } = useTranslation("import");
  const { color, Icon } = LOOKS[action];
  return (
    <Badge
      size="sm"
      variant="light"
      miw="max-content"
      color={color}
      leftSection={<Icon size={12} stroke={2.2} aria-hidden />}
    >
      {t(`action.${action}`)}
    </Badge>
  );
}

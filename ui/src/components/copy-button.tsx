import { ActionIcon, CopyButton as Copy, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface CopyButtonProps {
  text: string;
  /** What is copied, for the accessible name; "Copy" alone where it is plain. */
  label?: string;
  className?: string | undefined;
}

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const { t } = useTranslation();
  return (
    <Copy value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t("copied") : (label ?? t("copy"))}>
          <ActionIcon
            className={className}
            size="sm"
            color={copied ? "brand" : "gray"}
            onClick={copy}
            aria-label={copied ? t("copied") : (label ?? t("copy"))}
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      )}
    </Copy>
  );
}

import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import type { NavigateOptions } from "@tanstack/react-router";
import { useGoBack } from "@/lib/go-back";
import { useAriaKeys } from "@/lib/shortcuts";

interface BackButtonProps {
  /** Where it leads if the window began at this screen. */
  to: NonNullable<NavigateOptions["to"]>;
  label: string;
}

/** The way back to where one came from, in the header of a screen. */
export function BackButton({ to, label }: BackButtonProps) {
  const goBack = useGoBack();
  const ariaKeys = useAriaKeys();
  return (
    <Tooltip label={label}>
      <ActionIcon onClick={() => goBack({ to })} aria-label={label} aria-keyshortcuts={ariaKeys("goBack")}>
        <IconArrowLeft size={18} stroke={1.7} />
      </ActionIcon>
    </Tooltip>
  );
}

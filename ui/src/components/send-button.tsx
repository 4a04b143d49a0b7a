import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import type { Ref } from "react";

interface SendButtonProps extends ActionIconProps {
  /** Accessible name. */
  label: string;
  ref?: Ref<HTMLButtonElement>;
}

/** Sends what was typed beside it: the submit button of a form. */
export function SendButton({ label, ...props }: SendButtonProps) {
  return (
    <ActionIcon type="submit" size={36} radius="xl" variant="filled" color="brand" aria-label={label} {...props}>
      <IconSend size={18} />
    </ActionIcon>
  );
}

import { Kbd } from "@mantine/core";
import { useKeyNames } from "@/lib/shortcuts";
import { keyDigitOf } from "./workspace-switching";

/** The key that shows the workspace at this place of the menu; nothing past the ninth. */
export function WorkspaceKey({ index }: { index: number }) {
  const keyNames = useKeyNames();
  const digit = keyDigitOf(index);
  if (digit === undefined) return null;
  return (
    <Kbd size="xs" aria-hidden>
      {keyNames(`mod+${digit}`).join(" ")}
    </Kbd>
  );
}

import { useOs } from "@mantine/hooks";

/** What the key beside the space bar that begins a shortcut is called here. */
export function useModKey(): "⌘" | "Ctrl" {
  return useOs() === "macos" ? "⌘" : "Ctrl";
}

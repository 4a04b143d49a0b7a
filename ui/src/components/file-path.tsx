/** The path of a file, in text that can be selected and wraps. */
export function FilePath({ path }: { path: string }) {
  return <code style={{ overflowWrap: "anywhere", color: "var(--mantine-color-text)" }}>{path}</code>;
}

/** Where something was written, to be read and copied; breaks where it must. */
export function WrittenPath({ path }: { path: string }) {
  return <code style={{ overflowWrap: "anywhere", color: "var(--mantine-color-text)" }}>{path}</code>;
}

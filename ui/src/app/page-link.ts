// Links of the scheme that the host opens (`src/deep_link.rs` has the grammar).

/** Encodes an identifier as the host reads it: more characters are encoded than a path needs. */
const encoded = (id: string) =>
  encodeURIComponent(id).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

/** Pages at addresses of templates and sends that are none. */
const NO_ITEMS = new Set(["removed", "import", "new", "recipients", "batches"]);

/** The link to the template, send or event at an address of the window; absent for other pages. */
export function pageLink(pathname: string, event: string | undefined, workspace: string): string | undefined {
  const link = (kind: string, id: string) => `template-desk://${kind}/${encoded(id)}?workspace=${encoded(workspace)}`;
  if (pathname === "/activity") return event === undefined ? undefined : link("events", event);
  const [, kind, id] = /^\/(templates|sends)\/([^/]+)$/.exec(pathname) ?? [];
  return kind === undefined || id === undefined || NO_ITEMS.has(id) ? undefined : link(kind, decodeURIComponent(id));
}

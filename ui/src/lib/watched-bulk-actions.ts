// Bulk actions that were started here and are not on the screen: a notification reports their end.

const watched = new Set<string>();

/** Requests a notification at the end of a bulk action. */
export function watchBulkAction(id: string): void {
  watched.add(id);
}

/** Whether the end of the bulk action needs a notification; true only once. */
export function takeWatched(id: string): boolean {
  return watched.delete(id);
}

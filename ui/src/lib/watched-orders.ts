// Orders that were begun here and are not looked at: how they end is told wherever the person is by then.

const watched = new Set<string>();

/** Has the end of an order told. */
export function watchOrder(id: string): void {
  watched.add(id);
}

/** Whether the end of the order was to be told; it is, once. */
export function takeWatched(id: string): boolean {
  return watched.delete(id);
}

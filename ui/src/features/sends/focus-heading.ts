/** Leads to the heading of the screen, when what had the focus is about to go away and nothing took its place. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus({ preventScroll: true });
}

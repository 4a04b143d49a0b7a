/** Goes to the field that a finding is about: the nearest one above or below its place in the template. */
export function jumpTo(form: HTMLElement, path: string): void {
  let best: HTMLElement | undefined;
  let bestScore = -1;
  for (const field of form.querySelectorAll<HTMLElement>("[data-path]")) {
    const own = field.dataset.path ?? "";
    const score = closeness(own, path);
    if (score > bestScore) {
      best = field;
      bestScore = score;
    }
  }
  if (!best || bestScore <= 0) return;
  const input = best.matches("input, textarea, button")
    ? best
    : best.querySelector<HTMLElement>("input, textarea, button");
  best.scrollIntoView({ block: "center", behavior: "smooth" });
  (input ?? best).focus({ preventScroll: true });
}

/** How many leading steps two pointers share; a field at exactly the place wins. */
function closeness(own: string, path: string): number {
  if (own === path) return Number.POSITIVE_INFINITY;
  const a = own.split("/").slice(1);
  const b = path.split("/").slice(1);
  let shared = 0;
  while (shared < a.length && shared < b.length && a[shared] === b[shared]) shared += 1;
  // `/components` alone is no kinship between fields of different components.
  return shared === 1 && a[0] === "components" && b.length > 1 ? 0 : shared;
}

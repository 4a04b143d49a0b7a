/** What Escape closes itself. */
const LAYERS = "[role=dialog], [role=menu], [role=listbox]";

/** Whether a dialog, a menu or a list of choices is open over the screen. */
export function isLayerOpen(): boolean {
  return [...document.querySelectorAll(LAYERS)].some((element) => element.checkVisibility?.() ?? true);
}

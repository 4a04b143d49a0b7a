import { createSpotlight } from "@mantine/spotlight";

/** Whether the command palette is open, and what opens and closes it. */
export const [paletteStore, palette] = createSpotlight();

/**
 * Selects the first row, which Enter opens, or keeps the row that a person moved to. Spotlight selects once, when the
 * query changes: rows that arrive later would come before its selection, or remove it. Answers whether it kept that row.
 */
export function selectRow(hasMoved: boolean): boolean {
  const rows = [...(document.getElementById(paletteStore.getState().listId)?.querySelectorAll("[data-action]") ?? [])];
  const kept = hasMoved ? rows.findIndex((row) => row.hasAttribute("data-selected")) : -1;
  const selected = Math.max(kept, 0);
  rows.forEach((row, index) => {
    if (index === selected) row.setAttribute("data-selected", "true");
    else row.removeAttribute("data-selected");
  });
  paletteStore.updateState((state) => ({ ...state, selected: rows.length > 0 ? selected : -1 }));
  return kept >= 0;
}

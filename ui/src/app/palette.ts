import { createSpotlight } from "@mantine/spotlight";

/** Whether the command palette is open, and what opens and closes it. */
export const [paletteStore, palette] = createSpotlight();

import type { TemplateTarget } from "@/bindings/app";

// Thousands of references do not fit into an address; they wait here while the window changes its screen.
let waiting: { from: string; target: TemplateTarget } | undefined;

/** Keeps which templates of a workspace are to be copied, for the screen that shows what would happen. */
export function setCopyTarget(from: string, target: TemplateTarget): void {
  waiting = { from, target };
}

/** What was chosen last in that workspace, as long as the window is open. */
export function getCopyTarget(from: string): TemplateTarget | undefined {
  return waiting?.from === from ? waiting.target : undefined;
}

import type { Finding } from "@/bindings/model";
import { call } from "@/lib/ipc/client";
import { toFailure } from "@/lib/ipc/errors";
import { withTemplate } from "./rewrite";
import type { ComposerStore } from "./store";

/**
 * Corrects what rules know to correct, all of it in one step to undo. One that is in the way of another, or no longer
 * there, is left. Resolves to how many were corrected.
 */
export async function fixAll(
  store: ComposerStore,
  findings: readonly Pick<Finding, "code" | "path">[],
): Promise<number> {
  const before = store.getState().draft.template;
  let template = before;
  let fixed = 0;
  for (const { code, path } of findings) {
    try {
      template = await call("rewrite_template", { template, rewrite: { kind: "fix", code, path } });
      fixed += 1;
    } catch (reason) {
      if (toFailure(reason).code !== "invalidInput") throw reason;
    }
  }
  // Typing meanwhile counts more than a correction of what was there before.
  if (fixed === 0 || store.getState().draft.template !== before) return 0;
  store.getState().update((draft) => withTemplate(draft, template));
  return fixed;
}

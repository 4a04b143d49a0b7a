// Changes of the whole template that the rules make: corrections, names and numbers of variables.

import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import type { Draft } from "@/bindings/app";
import type { Finding, Rewrite, Template } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { componentOf, MEDIA } from "./parts";
import { useComposerStore } from "./store";

/** Makes `rewrites` one after the other, as one step to undo. Gives why not, where they cannot be made. */
export function useRewrite(): (...rewrites: Rewrite[]) => Promise<DeskFailure | undefined> {
  const store = useComposerStore();
  const { mutateAsync } = useCommand("rewrite_template");
  return useCallback(
    async (...rewrites) => {
      const asked = store.getState().draft.template;
      let template = asked;
      try {
        for (const rewrite of rewrites) template = await mutateAsync({ template, rewrite });
      } catch (reason) {
        return toFailure(reason);
      }
      // What was typed meanwhile is not overwritten.
      store.getState().update((draft) => (draft.template === asked ? withTemplate(draft, template) : draft));
      return undefined;
    },
    [store, mutateAsync],
  );
}

/** A file whose header is gone goes with it. */
export function withTemplate(draft: Draft, template: Template): Draft {
  const header = componentOf(template.components, "HEADER");
  const keepsFile = header !== undefined && MEDIA.has(header.format.toUpperCase());
  return { ...draft, template, headerFile: keepsFile ? draft.headerFile : null };
}

/** Corrects what a finding is about, as its rule suggests. */
export function useFix(): (finding: Finding) => void {
  const rewrite = useRewrite();
  return useCallback(
    ({ code, path }) =>
      void rewrite({ kind: "fix", code, path }).then((failure) => {
        if (failure) {
          notifications.show({ autoClose: false, withBorder: true, message: <ErrorNotice error={failure} /> });
        }
      }),
    [rewrite],
  );
}

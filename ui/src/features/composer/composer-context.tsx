import { createContext, use } from "react";
import type { Draft, Inspection } from "@/bindings/app";
import type { Finding, Template } from "@/bindings/model";
import type { Spare } from "./edit";

export interface ComposerState {
  draft: Draft;
  template: Template;
  change: (edit: (template: Template) => Template) => void;
  changeDraft: (edit: (draft: Draft) => Draft) => void;
  inspection: Inspection | undefined;
  /** What the rules say, and what the provider refused last. */
  findings: Finding[];
  /** Whether findings about a field are shown beside it: not before the person has been there. */
  shows: (path: string) => boolean;
  touch: (path: string) => void;
  /** Whether the draft edits a template, whose name, language and WABAs are fixed. */
  edits: boolean;
  spare: Spare;
}

export const ComposerContext = createContext<ComposerState | undefined>(undefined);

export function useComposer(): ComposerState {
  const state = use(ComposerContext);
  if (!state) throw new Error("The fields of the composer stand inside the composer");
  return state;
}

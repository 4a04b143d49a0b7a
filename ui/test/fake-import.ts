// The fake host's imports of templates from files: plans and results.

import type { DeskError, DeskEvent, Import, ImportOutcome, ImportPlan, ImportStep } from "@/bindings/app";
import { ADVICE } from "./fake-answers";
import { type Handlers, refusal } from "./fake-host";
import type { FakeTemplate } from "./fixtures";
import { compare, render } from "./rules";

export const FOLDER = "/home/ana/templates/acme";

type Files = Pick<
  Handlers,
  | "choose_import"
  | "plan_import"
  | "plan_copy"
  | "run_import"
  | "resume_import"
  | "cancel_import"
  | "last_import"
  | "forget_import"
>;

export function importHandlers(templates: FakeTemplate[], emit: (event: DeskEvent) => void): Files {
  const plans = new Map<string, ImportPlan>();
  let next = 1;
  let last: Import | null = null;
  const plan = async (workspace: string, source: string, wabas: string[]): Promise<ImportPlan> => {
    const made = {
      id: `plan-${next++}`,
      workspace,
      source,
      wabas,
      steps: await stepsOf(templates, wabas),
      foldersLeftOut: 0,
      outdatedList: null,
    };
    plans.set(made.id, made);
    return made;
  };
  return {
    choose_import: ({ workspace, wabas }) => plan(workspace, FOLDER, wabas),
    plan_import: ({ workspace, folder, wabas }) => plan(workspace, folder, wabas),
    plan_copy: ({ from, to, wabas }) => plan(to, from, wabas),
    run_import: ({ id, files }) => {
      const { steps, ...planned } = plans.get(id) ?? refusal({ code: "notFound", what: `Plan ${id}` });
      const chosen = steps.filter(({ file }) => files.includes(file));
      const total = chosen.length;
      for (const [index, { file }] of chosen.entries()) {
        const { workspace } = planned;
        emit({ type: "importProgress", workspace, id, done: index + 1, total, file, waitingUntil: null });
      }
      const outcomes = chosen.map((step, index) => outcomeOf(step, index, templates[index]?.row.reference ?? ""));
      last = importOf({ ...planned, total, outcomes });
      return last;
    },
    resume_import: () => {
      const { outcomes, ...before } = last ?? refusal({ code: "notFound", what: "The import" });
      last = importOf({ ...before, outcomes: outcomes.map((outcome) => ({ ...outcome, state: "done", error: null })) });
      return last;
    },
    last_import: () => last,
    forget_import: () => {
      last = null;
      return {};
    },
    cancel_import: () => ({}),
  };
}

/** A finished import, changed by `more`. */
export function importOf(more: Partial<Import>): Import {
  const total = more.total ?? more.outcomes?.length ?? 0;
  return {
    id: "plan-1",
    workspace: "sandbox",
    source: FOLDER,
    isCopy: false,
    wabas: [],
    state: "done",
    error: null,
    done: total,
    total,
    resumable: 0,
    outcomes: [],
    waitingUntil: null,
    createdAt: 0,
    endedAt: 0,
    ...more,
  };
}

const REFUSED: DeskError = {
  code: "service",
  status: 400,
  errorCode: "2388023",
  message: "Invalid parameter",
  details: "The name is being used by a template in deletion.",
  field: "name",
  body: '{"message":"Invalid parameter"}',
};

/** The outcome of a step: the third is rejected, and the fourth times out. */
function outcomeOf({ file, name, language, action }: ImportStep, index: number, reference: string): ImportOutcome {
  const step = { file, name, language, action, isPartial: false, acceptedWabas: [], openWabas: [] };
  if (index === 2) return { ...step, state: "failed", error: REFUSED, references: [] };
  if (index === 3) return { ...step, state: "unknown", error: { code: "timedOut", seconds: 30 }, references: [] };
  return { ...step, state: "done", error: null, references: [reference] };
}

function stepsOf(templates: FakeTemplate[], wabas: string[]): Promise<ImportStep[]> {
  const steps = templates.slice(0, 8).map(async ({ row, template }, index): Promise<ImportStep> => {
    const changed = structuredClone(template);
    for (const part of changed.components) {
      if (part.type === "BODY" && part.text !== undefined) part.text = part.text.replace(/sale|order|points/, "offer");
    }
    const action = (["edit", "create", "edit", "blocked", "unchanged"] as const)[index % 5] ?? "unchanged";
    return {
      file: `${row.name}.${row.language}.json`,
      name: row.name,
      language: row.language,
      action,
      wabas: wabas.length > 0 ? wabas : row.wabas,
      reasons: action === "blocked" ? ["/components/0/text: the body begins with a variable."] : [],
      notes: index === 1 ? ["The folder has no file for the header, so the sample of the template is used."] : [],
      findings:
        index === 2
          ? [{ code: "x.y", severity: "warning", path: "", message: ADVICE, values: {}, source: "§5", fixable: false }]
          : [],
      needsOverride: [],
      doubts: [],
      changes: action === "edit" ? await compare(template, changed) : [],
      before: action === "edit" ? await render(template) : null,
      after: action === "edit" || action === "create" ? await render(changed) : null,
      media: index === 1 ? [{ name: "media/summer.jpg", size: 182_344 }] : [],
    };
  });
  return Promise.all(steps);
}

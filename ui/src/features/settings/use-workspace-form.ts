import { notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SecretKind, Workspace, WorkspaceProblem } from "@/bindings/app";
import { useWorkspace } from "@/lib/desk";
import { call } from "@/lib/ipc/client";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import {
  draftOf,
  formField,
  isChanged,
  type NumberDraft,
  type Preset,
  presetOf,
  requestOf,
  type SecretDraft,
  secretPlace,
  type WorkspaceDraft,
  withoutSecrets,
} from "./workspace-draft";

/** Fields that show their error themselves. */
const FIELDS =
  /^(name|baseUrl|allowUnencrypted|channel|messagingProduct|workspaceUuid|clientId|tokenExpiresOn|defaultCountry|business(Id|Name)|wabaIds(\/\d+)?|numbers(\/\d+)?(\/(id|label|wabaId))?|token|clientSecret|(numbers\/\d+\/)?(webhookSecret|previousWebhookSecret|verifyToken))$/;

export type WorkspaceFormState = ReturnType<typeof useWorkspaceForm>;

/** Values, checks, test and storing of a workspace's form. What is typed stays whatever the host says. */
export function useWorkspaceForm(workspace?: Workspace) {
  const { t } = useTranslation("settings");
  const { id: shown } = useWorkspace();
  const [initial] = useState(() => draftOf(workspace?.settings));
  const [stored, setStored] = useState(workspace);
  const current = workspace ?? stored;
  const [checked, setChecked] = useState<{ problems: WorkspaceProblem[]; fields: RegExp }>();
  const [checkFailure, setCheckFailure] = useState<unknown>();
  const element = useRef<HTMLElement>(null);
  const save = useCommand("save_workspace");
  const test = useCommand("test_connection");

  const reported = test.data?.steps.find((step) => step.error)?.error;
  const form = useForm<WorkspaceDraft>({
    initial,
    errors: [save.error?.error, reported],
    fields: FIELDS,
    fieldOf: formField,
    unfinished: {
      workspace: current?.id ?? shown,
      form: current ? "workspace" : "new workspace",
      storable: withoutSecrets,
    },
    onChange: () => {
      save.reset();
      if (reported?.code === "invalidInput") test.reset();
    },
  });
  const { values: draft, change } = form;
  const [preset, setPreset] = useState<Preset>(() => presetOf(draft.settings));
  const id = current?.id;
  const problems = (checked?.problems ?? []).map((problem) => ({ ...problem, field: formField(problem.field, draft) }));

  // What was corrected is no longer marked, and nothing is marked before a first try.
  const request = JSON.stringify(requestOf(id, draft));
  const wasChecked = checked !== undefined;
  useEffect(() => {
    if (!wasChecked) return;
    let latest = true;
    void call("check_workspace", JSON.parse(request)).then(
      (found) => latest && setChecked((last) => last && { ...last, problems: found.filter(isAt(last.fields)) }),
      // The next save says what is wrong with the host.
      () => undefined,
    );
    return () => {
      latest = false;
    };
  }, [request, wasChecked]);

  /**
   * Marks every problem of the fields, moves to the first, and answers the problems of all fields; nothing where the
   * host did not answer.
   */
  const check = async (fields = FIELDS): Promise<WorkspaceProblem[] | undefined> => {
    setCheckFailure(undefined);
    const found = await call("check_workspace", requestOf(id, draft)).catch(setCheckFailure);
    if (!found) return undefined;
    const here = found.filter(isAt(fields));
    setChecked(here.length > 0 ? { problems: here, fields } : undefined);
    const [first] = here;
    if (first) focus(formField(first.field, draft));
    return found;
  };
  const focus = (field: string) =>
    // The switch that confirms an unencrypted address appears with its problem.
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`)?.focus(),
    );

  const store = async (sessionOnly = draft.sessionOnly): Promise<Workspace | undefined> => {
    change({ sessionOnly });
    const saved = await save.mutateAsync(requestOf(id, { ...draft, sessionOnly })).catch(() => undefined);
    if (!saved) return undefined;
    form.saved({ ...draft, sessionOnly }, { ...draftOf(saved.settings), sessionOnly });
    setStored(saved);
    notifications.show({ message: t("saved", { name: saved.settings.name }) });
    return saved;
  };

  const set = (part: Partial<WorkspaceDraft["settings"]>) => change({ settings: { ...draft.settings, ...part } });
  return {
    workspace: current,
    draft,
    preset,
    setPreset,
    change,
    set,
    setNumber: (index: number, part: Partial<NumberDraft>) =>
      change({ numbers: draft.numbers.map((row, at) => (at === index ? { ...row, ...part } : row)) }),
    setSecret: (kind: SecretKind) => (secret: SecretDraft) => change({ secrets: { ...draft.secrets, [kind]: secret } }),
    storedAt: (kind: SecretKind, number: string | null = null) => secretPlace(current?.secrets ?? [], kind, number),
    isChanged: isChanged(draft, form.stored),
    /** Drops what was typed. */
    discard: () => form.reset(form.stored),
    errorOf: (field: string): string | undefined => {
      const problem = problems.find((found) => found.field === field);
      return problem ? t(`problem.${problem.code}`, { ...problem.values, nest: false }) : form.errorOf(field);
    },
    problems: problems.length,
    needsNotice: form.needsNotice,
    attach: (node: HTMLElement | null) => {
      element.current = node;
      form.attach(node);
    },
    check,
    focus,
    /** Why the fields could not be checked. */
    checkFailure,
    store,
    save,
    test,
    request: () => requestOf(id, draft),
    runTest: () => test.mutate(requestOf(id, draft)),
  };
}

const isAt =
  (fields: RegExp) =>
  ({ field }: WorkspaceProblem) =>
    fields.test(field);

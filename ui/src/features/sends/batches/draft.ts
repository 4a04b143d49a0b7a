// What was filled in for a batch that has not been started, by workspace: a look at the address book or another template
// must not cost it.

import type { BatchPlanRequest, CsvFile, SendForm, ValueSource } from "@/bindings/app";
import type { SendPart } from "@/bindings/model";
import { dropForm, keepForm, unfinishedForm, useUnfinishedForm } from "@/lib/unfinished-forms";
import { ownMedia, withSamples } from "../parts";
import { type ColumnSource, guessMapping, isPersonName, keepMapping, type Mapping } from "./mapping";

/** What fills the parts of one template. */
interface Filling {
  /** For the address book: the same for everyone, by part. */
  values: Record<string, string>;
  /** For the address book: the field of the person that fills a part, whatever `values` has for it. */
  fields: Record<string, ColumnSource>;
  /** For a file: where the value of each part comes from; a part that nobody decided about is absent. */
  mapped: Record<string, ValueSource>;
  /** Codes of warnings that were accepted. */
  overrides: string[];
}

export interface BatchDraft {
  /** The template that was being filled in last. */
  template: { reference: string; name: string } | undefined;
  number: string;
  source: "recipients" | "csv";
  /** Recipients of the address book, in the order in which they were chosen. */
  ids: string[];
  file: CsvFile | undefined;
  /** Columns of the recipient and of the name; empty while none is chosen. */
  to: string;
  name: string;
  /** Country of numbers without country code; empty for that of the workspace. */
  country: string;
  callbackData: string;
  track: boolean;
  exactCallback: boolean;
  /** By the template's reference. */
  fillings: Record<string, Filling>;
}

const EMPTY: BatchDraft = {
  template: undefined,
  number: "",
  source: "recipients",
  ids: [],
  file: undefined,
  to: "",
  name: "",
  country: "",
  callbackData: "",
  track: true,
  exactCallback: false,
  fillings: {},
};
const NO_FILLING: Filling = { values: {}, fields: {}, mapped: {}, overrides: [] };

const FORM = "batch";

/** The draft of the workspace, and a function that changes it. */
export function useBatchDraft(workspace: string): [BatchDraft, (change: Partial<BatchDraft>) => void] {
  const draft = useUnfinishedForm<BatchDraft>(workspace, FORM) ?? EMPTY;
  return [draft, (change) => changeDraft(workspace, change)];
}

function changeDraft(workspace: string, change: Partial<BatchDraft>): void {
  keepForm(workspace, FORM, { ...(unfinishedForm<BatchDraft>(workspace, FORM) ?? EMPTY), ...change });
}

/** Begins a batch to these recipients; whatever else was filled in stays. */
export function chooseRecipients(workspace: string, ids: string[]): void {
  changeDraft(workspace, { source: "recipients", ids, template: undefined });
}

/** Whether recipients were chosen for a template already. */
export const isBegun = ({ template, ids, file }: BatchDraft) =>
  template !== undefined && (ids.length > 0 || file !== undefined);

/** The next batch begins empty: this one was started, or dropped. */
export function forgetDraft(workspace: string): void {
  dropForm(workspace, FORM);
}

const storedFilling = (draft: BatchDraft, reference: string): Filling => draft.fillings[reference] ?? NO_FILLING;

/** What fills the parts of a template: its own media, unless something else was chosen. */
export function fillingOf(draft: BatchDraft, reference: string, { parts }: Pick<SendForm, "parts">): Filling {
  const { values, mapped, ...filling } = storedFilling(draft, reference);
  const media = ownMedia(parts);
  return { ...filling, values: { ...media, ...values }, mapped: { ...fixedSources(media), ...mapped } };
}

/** The draft with something else filling the parts of one template. */
export function withFilling(draft: BatchDraft, reference: string, change: Partial<Filling>): Partial<BatchDraft> {
  return { fillings: { ...draft.fillings, [reference]: { ...storedFilling(draft, reference), ...change } } };
}

/** The draft with a text for the empty cells of the column that fills a part. */
export function withFallback(draft: BatchDraft, reference: string, id: string, fallback: string): Partial<BatchDraft> {
  const { fields, mapped } = storedFilling(draft, reference);
  if (draft.source === "recipients") {
    const field = fields[id];
    return field ? withFilling(draft, reference, { fields: { ...fields, [id]: { ...field, fallback } } }) : {};
  }
  const column = mapped[id];
  if (column?.kind !== "column") return {};
  return withFilling(draft, reference, { mapped: { ...mapped, [id]: { ...column, fallback } } });
}

/**
 * The draft with a chosen file. The same file that is chosen again keeps its country and what was mapped; of another one,
 * only columns with the same name do. The rest is guessed. Warnings were accepted for the file before, not for this one.
 */
export function withFile(draft: BatchDraft, file: CsvFile, reference: string, form: SendForm): Partial<BatchDraft> {
  const isSame = draft.file?.name === file.name;
  // Without a header, columns of different files have the same names.
  const columns = isSame || (file.hasHeader && draft.file?.hasHeader) ? file.columns : [];
  const before: Mapping = { to: draft.to, name: draft.name, mapped: storedFilling(draft, reference).mapped };
  const country = isSame ? draft.country : "";
  return { country, ...withMapping(draft, file, reference, form, keepMapping(before, columns)) };
}

/** The draft after the first row of its file was taken as a header, or as a recipient: its columns have other names. */
export function withHeader(draft: BatchDraft, file: CsvFile, reference: string, form: SendForm): Partial<BatchDraft> {
  const renamed = (column: string) => file.columns[draft.file?.columns.indexOf(column) ?? -1] ?? "";
  const moved = Object.entries(storedFilling(draft, reference).mapped).map(([id, value]): [string, ValueSource] => [
    id,
    value.kind === "fixed" ? value : { ...value, column: renamed(value.column) },
  ]);
  const mapping = { to: renamed(draft.to), name: renamed(draft.name), mapped: Object.fromEntries(moved) };
  return withMapping(draft, file, reference, form, keepMapping(mapping, file.columns));
}

/** The draft with a file, a mapping, and guesses for what is not mapped. */
function withMapping(
  draft: BatchDraft,
  file: CsvFile,
  reference: string,
  form: SendForm,
  kept: Mapping,
): Partial<BatchDraft> {
  const guessed = guessMapping(file, form.parts);
  return {
    source: "csv",
    file,
    to: kept.to || guessed.to,
    name: kept.name || guessed.name,
    ...withFilling(draft, reference, { mapped: { ...guessed.mapped, ...kept.mapped }, overrides: [] }),
  };
}

/** Values that are the same for everyone, as sources. */
function fixedSources(values: Record<string, string>): Record<string, ValueSource> {
  return Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { kind: "fixed", value } as const]));
}

/**
 * The draft of a batch to the address book with the sample in every part that is empty. A variable for a name gets the
 * name of each person instead.
 */
export function withExamples(draft: BatchDraft, reference: string, form: SendForm, known: readonly string[]) {
  const { values, fields } = fillingOf(draft, reference, form);
  const field = ["firstName", "name"].find((name) => known.includes(name));
  const isOpen = ({ id }: SendPart) => !values[id] && !fields[id];
  const names = form.parts.filter((part) => field !== undefined && isOpen(part) && isPersonName(part));
  const ofPerson = names.map(({ id }) => [id, { kind: "column", column: field ?? "" } as const]);
  const others = form.parts.filter((part) => !names.includes(part) && !fields[part.id]);
  return withFilling(draft, reference, {
    fields: { ...fields, ...Object.fromEntries(ofPerson) },
    values: withSamples(others, values),
  });
}

/** What fills the parts of a batch from the address book. */
export function bookSources({ values, fields }: Pick<Filling, "values" | "fields">): Record<string, ValueSource> {
  return { ...fixedSources(values), ...fields };
}

/** What the host checks whole before anything is sent. */
export function planRequest(
  workspace: string,
  reference: string,
  draft: BatchDraft,
  form: SendForm,
): BatchPlanRequest | undefined {
  const { number, callbackData, track, exactCallback, source, ids, file, to, name, country } = draft;
  const filling = fillingOf(draft, reference, form);
  const common = { workspace, reference, number, callbackData, track, exactCallback, overrides: filling.overrides };
  // What the template no longer asks for is not sent along.
  const asked = new Set(form.parts.map(({ id }) => id));
  const ofTemplate = (sources: Record<string, ValueSource>) =>
    Object.fromEntries(Object.entries(sources).filter(([id]) => asked.has(id)));
  if (source === "recipients") {
    return { ...common, source: { kind: "recipients", ids, values: ofTemplate(bookSources(filling)) } };
  }
  if (!file) return undefined;
  return {
    ...common,
    country: country || null,
    source: {
      kind: "csv",
      file: file.id,
      to,
      name: name === "" ? null : name,
      values: ofTemplate(filling.mapped),
    },
  };
}

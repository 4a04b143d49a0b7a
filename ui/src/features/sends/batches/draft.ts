// What was filled in for a batch that has not been started, by workspace: a look at the address book or another template
// must not cost it.

import type {
  Batch,
  BatchMapping,
  BatchPlanRequest,
  BatchSource,
  CsvFile,
  PreviewBatch,
  RetargetedList,
  RetargetedPeople,
  SendForm,
  ValueSource,
} from "@/bindings/app";
import type { ColumnGuess, Engagement, SendPart } from "@/bindings/model";
import { dropForm, keepForm, unfinishedForm, useUnfinishedForm } from "@/lib/unfinished-forms";
import { ownMedia, withSamples } from "../parts";
import { type ColumnSource, keepMapping, type Mapping } from "./mapping";

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

/** A list that is divided between two templates. */
interface Comparison {
  id: string;
  /** Percentage of the list for the first template. */
  share: number;
  first: { reference: string; name: string };
  /** The last check of the first template: its plan, the list that was checked, and what filled the message. */
  checked: { plan: string; list: string; filling: string } | undefined;
}

/** People of an earlier batch, by what they did with its message. */
export interface FormerPeople {
  batch: string;
  /** The template of that batch. */
  template: { reference: string; name: string };
  engagement: Engagement;
  /** The identifier of the list of them; absent for people of the address book. */
  file: string | undefined;
  /** Whether the list has the cells of that batch's file. */
  hasCells: boolean;
  /** Those who are not in the address book any more. */
  missing: number;
}

export interface BatchDraft {
  /** The template that was being filled in last. */
  template: { reference: string; name: string } | undefined;
  number: string;
  source: "recipients" | "csv";
  /** Recipients of the address book, in the order in which they were chosen. */
  ids: string[];
  file: CsvFile | undefined;
  /** Where the recipients or the file come from, as long as they are those. */
  people?: FormerPeople | undefined;
  /** What a mapping of an earlier batch is about, until a file is chosen: whether its columns had names. */
  earlier?: { hasHeader: boolean } | undefined;
  /** Columns of the recipient and of the name; empty while none is chosen. */
  to: string;
  name: string;
  /** Country of numbers without country code; empty for that of the workspace. */
  country: string;
  callbackData: string;
  track: boolean;
  exactCallback: boolean;
  comparison?: Comparison | undefined;
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

type FixedSource = Extract<ValueSource, { kind: "fixed" }>;

const FORM = "batch";

type Change = Partial<BatchDraft> | ((draft: BatchDraft) => Partial<BatchDraft>);

/** The draft of the workspace, and a function that changes it. */
export function useBatchDraft(workspace: string): [BatchDraft, (change: Change) => void] {
  const draft = useUnfinishedForm<BatchDraft>(workspace, FORM) ?? EMPTY;
  return [draft, (change) => changeDraft(workspace, change)];
}

function changeDraft(workspace: string, change: Change): void {
  const draft = batchDraft(workspace);
  keepForm(workspace, FORM, { ...draft, ...(typeof change === "function" ? change(draft) : change) });
}

/** The draft of the workspace as it is now. */
export const batchDraft = (workspace: string) => unfinishedForm<BatchDraft>(workspace, FORM) ?? EMPTY;

/** Number and columns of an earlier batch, and what filled its template. */
function draftLike({ reference, number }: Batch, { file, country, values }: BatchMapping): BatchDraft {
  const filling = { ...NO_FILLING };
  if (file) filling.mapped = ofParts(values, () => true);
  else {
    filling.fields = ofParts(values, (value) => value.kind === "column");
    const fixed = ofParts<FixedSource>(values, (value) => value.kind === "fixed");
    filling.values = Object.fromEntries(Object.entries(fixed).map(([id, { value }]) => [id, value]));
  }
  return {
    ...EMPTY,
    number,
    source: file ? "csv" : "recipients",
    to: file?.to ?? "",
    name: file?.name ?? "",
    country: country ?? "",
    fillings: { [reference]: filling },
  };
}

/** Begins a batch that is filled like an earlier one. Its file or its people are still to be chosen. */
export function beginLike(batch: Batch, mapping: BatchMapping): void {
  const { workspace, reference, templateName } = batch;
  const { file } = mapping;
  keepForm(workspace, FORM, {
    ...draftLike(batch, mapping),
    template: { reference, name: templateName },
    earlier: file ? { hasHeader: file.hasHeader } : undefined,
  });
}

/** Begins a batch to people of an earlier one. Its template is still to be chosen; that of the earlier one is filled. */
export function beginTo(batch: Batch, engagement: Engagement, { list, mapping }: RetargetedPeople): void {
  const { id, workspace, reference, templateName } = batch;
  const like = draftLike(batch, mapping);
  keepForm(workspace, FORM, {
    ...like,
    // Where nothing is known, the columns are guessed as for any template.
    fillings: Object.keys(mapping.values).length > 0 ? like.fillings : {},
    ...(list.kind === "csv" ? { file: list.file } : { ids: list.ids }),
    people: fromList({ batch: id, template: { reference, name: templateName }, engagement }, list),
  });
}

/** The people as a list has them that was made now. */
export function fromList(
  { batch, template, engagement }: Pick<FormerPeople, "batch" | "template" | "engagement">,
  list: RetargetedList,
): FormerPeople {
  const of = { batch, template, engagement };
  return list.kind === "csv"
    ? { ...of, file: list.file.id, hasCells: list.hasCells, missing: 0 }
    : { ...of, file: undefined, hasCells: true, missing: list.missing };
}

/** Begins a batch to these recipients; whatever else was filled in stays. */
export function chooseRecipients(workspace: string, ids: string[]): void {
  changeDraft(workspace, (draft) => ({ source: "recipients", template: undefined, ...withRecipients(draft, ids) }));
}

/** The draft with other recipients of the address book. */
export function withRecipients({ people }: BatchDraft, ids: string[]): Partial<BatchDraft> {
  return { ids, people: people?.file === undefined ? undefined : people };
}

/** Whose list the chosen file is, if it is one of people of an earlier batch. */
export const listOf = ({ source, file, people }: BatchDraft) =>
  source === "csv" && file !== undefined && people?.file === file.id ? people : undefined;

/** Whether recipients or a mapping were chosen for a template already. */
export const isBegun = ({ template, ids, file, earlier }: BatchDraft) =>
  template !== undefined && (ids.length > 0 || file !== undefined || earlier !== undefined);

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
 * only columns with the same name do. The rest is guessed, and what is gone is to be chosen again. Warnings were accepted
 * for the file before, not for this one.
 */
export function withFile(
  draft: BatchDraft,
  file: CsvFile,
  reference: string,
  guess: ColumnGuess | undefined,
): Partial<BatchDraft> {
  const isSame = draft.file?.name === file.name;
  const before = draft.file ?? draft.earlier;
  // Without a header, columns of different files have the same names.
  const isNamedAlike = isSame || (file.hasHeader && before?.hasHeader === true);
  const isEarlier = draft.file === undefined && draft.earlier?.hasHeader === file.hasHeader;
  const { to, name } = draft;
  const mapping = { to, name, mapped: storedFilling(draft, reference).mapped };
  const { kept, gone } = keepMapping(mapping, isNamedAlike || isEarlier ? file.columns : []);
  const country = isSame || draft.file === undefined ? draft.country : "";
  return { country, ...withMapping(draft, file, reference, guess, kept, isNamedAlike ? gone : {}) };
}

/** The draft after the first row of its file was taken as a header, or as a recipient: its columns have other names. */
export function withHeader(
  draft: BatchDraft,
  file: CsvFile,
  reference: string,
  guess: ColumnGuess | undefined,
): Partial<BatchDraft> {
  const renamed = (column: string) => file.columns[draft.file?.columns.indexOf(column) ?? -1] ?? "";
  const moved = Object.entries(storedFilling(draft, reference).mapped).map(([id, value]): [string, ValueSource] => [
    id,
    value.kind === "fixed" ? value : { ...value, column: renamed(value.column) },
  ]);
  const mapping = { to: renamed(draft.to), name: renamed(draft.name), mapped: Object.fromEntries(moved) };
  return withMapping(draft, file, reference, guess, keepMapping(mapping, file.columns).kept, {});
}

/** The draft with a file, a mapping, and guesses for what is not mapped. */
function withMapping(
  draft: BatchDraft,
  file: CsvFile,
  reference: string,
  guess: ColumnGuess | undefined,
  kept: Mapping,
  gone: Record<string, ValueSource>,
): Partial<BatchDraft> {
  // What an earlier batch had is said to be gone, not replaced by a guess.
  const isOpen = (id: string) => draft.file !== undefined || !(id in gone);
  const guesses = Object.entries(guess?.parts ?? {}).filter(([id]) => isOpen(id));
  const guessed = guesses.map(([id, column]) => [id, { kind: "column", column }] as const);
  const to = kept.to || guess?.to || "";
  const guessedName = guess?.name === to ? "" : (guess?.name ?? "");
  return {
    source: "csv",
    file,
    people: draft.people?.file === file.id ? draft.people : undefined,
    earlier: undefined,
    to,
    name: kept.name || guessedName,
    ...withFilling(draft, reference, {
      mapped: { ...gone, ...Object.fromEntries(guessed), ...kept.mapped },
      overrides: [],
    }),
  };
}

/** The sources of a request of one kind. */
function ofParts<T extends ValueSource>(
  values: BatchMapping["values"],
  is: (value: ValueSource) => boolean,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) => (value && is(value) ? [[id, value as T]] : [])),
  );
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
  const names = form.parts.filter((part) => field !== undefined && isOpen(part) && part.person === true);
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

/** The side of a divided list that a template gets. */
export function sideOf({ comparison }: BatchDraft, reference: string) {
  if (!comparison) return undefined;
  const { id, share, first } = comparison;
  return { comparison: id, share, isFirst: first.reference === reference };
}

/** Who gets a batch, and from which number: both templates of a comparison are checked with the same. */
export function listKey({ number, country, source }: BatchPlanRequest): string {
  const people = source.kind === "csv" ? [source.file, source.to] : source.ids;
  return JSON.stringify([number, country ?? "", source.kind, people]);
}

/** What fills the messages of the first template of a comparison. */
export function firstFilling({ comparison, fillings, callbackData, track, exactCallback }: BatchDraft): string {
  const { reference } = comparison?.first ?? { reference: "" };
  return JSON.stringify([fillings[reference] ?? NO_FILLING, callbackData, track, exactCallback]);
}

/** Remembers the check of the first template, unless the comparison became another one meanwhile. */
export function keepFirstCheck(
  workspace: string,
  side: { comparison: string; share: number },
  checked: NonNullable<Comparison["checked"]>,
): void {
  const { comparison } = unfinishedForm<BatchDraft>(workspace, FORM) ?? EMPTY;
  if (comparison?.id !== side.comparison || comparison.share !== side.share) return;
  changeDraft(workspace, { comparison: { ...comparison, checked } });
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

/** What one row would get, as far as the batch is filled in. */
export function previewRequest(
  workspace: string,
  reference: string,
  draft: BatchDraft,
  form: SendForm,
  row: number,
): PreviewBatch {
  const { number, callbackData, track, exactCallback } = draft;
  const common = { workspace, reference, number, callbackData, track, exactCallback };
  const nobody: BatchSource = { kind: "recipients", ids: [], values: {} };
  const batch = planRequest(workspace, reference, draft, form) ?? { ...common, source: nobody };
  return { batch: { ...batch, overrides: [] }, row };
}

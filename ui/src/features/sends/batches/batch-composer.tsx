import { Button, Group, SegmentedControl } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconChecklist, IconSend, IconWand } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type {
  BatchPlan,
  CsvFile,
  DeskError,
  SendForm,
  ValuePreview,
  ValueSource,
  WorkspaceSummary,
} from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { ActionBar, ActionFooter } from "@/components/action-bar";
import { ErrorNotice } from "@/components/error-notice";
import { SendingNotices } from "@/components/sending-notices";
import { SplitView } from "@/components/split-view";
import { useWordedError } from "@/components/use-worded-error";
import { isChosenFileGone } from "@/lib/ipc/errors";
import { CallbackFields } from "../callback-fields";
import { CardFields } from "../card-fields";
import { GeneralProblems } from "../general-problems";
import { NumberSelect } from "../number-select";
import { cardsApart, firstAsked, groupParts } from "../parts";
import { errorsOf, shownProblems } from "../problems";
import { sendsQueries } from "../queries";
import sends from "../sends.module.css";
import { useFieldFocus } from "../use-field-focus";
import { BatchPreview } from "./batch-preview";
import classes from "./batches.module.css";
import { isUnfinished } from "./column-format";
import { ComparisonChoice, ComparisonStep } from "./comparison-choice";
import { CsvChoice } from "./csv-choice";
import {
  type BatchDraft,
  bookSources,
  fillingOf,
  forgetDraft,
  listOf,
  planRequest,
  previewRequest,
  useBatchDraft,
  withExamples,
  withFallback,
  withFile,
  withFilling,
  withHeader,
  withRecipients,
} from "./draft";
import { HELD_BACK } from "./held-back-people";
import { ABOVE_LIMIT } from "./limit-choice";
import { MappingFields, MappingGroup } from "./mapping-fields";
import { DUPLICATE, PlanReport } from "./plan-report";
import { RECENT_MARKETING } from "./recent-marketing";
import { RecipientChoice } from "./recipient-choice";
import { REPEATED } from "./repeated-people";
import { StartForm } from "./start-form";
import { useCheckBatch } from "./use-check-batch";
import { useFieldLabels, useNumberText, useUses } from "./use-field-labels";
import { useKnownDraft } from "./use-known-draft";
import { useNeeds } from "./use-needs";
import { usePersonColumns } from "./use-person-columns";
import { useRepeatMarketing } from "./use-repeat-marketing";
import { useReportFocus } from "./use-report-focus";
import { useShownRow } from "./use-shown-row";

interface BatchComposerProps {
  workspace: WorkspaceSummary;
  reference: string;
  form: SendForm;
}

/** Who gets the message, from which number, and what fills it; checked whole before the first one leaves. */
export function BatchComposer({ workspace: { id: workspace, sandbox }, reference, form }: BatchComposerProps) {
  const { t } = useTranslation("batches");
  const navigate = useNavigate();
  const client = useQueryClient();
  const [stored, change] = useBatchDraft(workspace);
  const draft = useKnownDraft(stored, workspace, form);
  const { source, file, ids } = draft;
  const { values, fields, mapped, overrides } = fillingOf(draft, reference, form);
  const [repeats, setRepeats] = useRepeatMarketing(workspace);
  const accepted = withRepeats(overrides, repeats);
  const [spread, setSpread] = useState(true);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [tried, setTried] = useState(false);
  const [advanced, setAdvanced] = useState(stored.callbackData !== "" || !stored.track || stored.exactCallback);
  const [openCards, setOpenCards] = useState<string[]>(["0"]);
  const [card, setCard] = useState<number>();
  const [row, setRow] = useState(0);
  const [checked, setChecked] = useState<{ request: string; plan: BatchPlan }>();
  const check = useCheckBatch(stored, reference);
  // The check goes on with the form as the file that was read again has filled it.
  const [goesOn, setGoesOn] = useState(false);
  const toReport = useReportFocus();
  const isOfThis = stored.template?.reference === reference;
  useEffect(() => {
    if (!isOfThis) change({ template: { reference, name: form.name } });
  });

  const guessFor = (of: CsvFile | undefined) => sendsQueries.columnGuess(workspace, reference, of?.id ?? "");
  // A file chosen for another template: its columns may fit this one too.
  const unmapped = draft.fillings[reference] === undefined ? file : undefined;
  const guess = useQuery({ ...guessFor(unmapped), enabled: unmapped !== undefined });
  useEffect(() => {
    if (unmapped && !guess.isPending) change((now) => withFile(now, unmapped, reference, guess.data));
  });
  const [isTaking, setTaking] = useState(false);
  // Without guesses the person chooses.
  const take = async (next: CsvFile, how: typeof withFile) => {
    setTaking(true);
    const found = await client.fetchQuery(guessFor(next)).catch(() => undefined);
    setTaking(false);
    setRow(0);
    check.reset();
    change((now) => how(now, next, reference, found));
  };

  const shownRow = useShownRow(draft, workspace, row);
  const shownPlace = shownRow.row;
  const first = useMemo(
    () => previewRequest(workspace, reference, draft, form, shownPlace),
    [workspace, reference, draft, form, shownPlace],
  );
  const [debounced] = useDebouncedValue(first, 100);
  const preview = useQuery(sendsQueries.batchPreview(debounced));
  const message = preview.data?.preview;
  const previews = useMemo(
    () => new Map(preview.data?.columns.map((column) => [column.part, column])),
    [preview.data?.columns],
  );
  // The check covers the values of rows; here are only those that all rows share.
  const ofAll = (problems: readonly SendProblem[]) =>
    problems.filter(
      ({ field }) =>
        field !== "to" &&
        (!isPart(form, field) || (source === "recipients" ? !fields[field] : mapped[field]?.kind === "fixed")),
    );
  const live = ofAll(message?.problems ?? []);
  const shown = shownProblems(live, { left, tried });
  const needs = useNeeds(draft, reference, form);
  const refused = useWordedError()(check.error?.error);
  // A chosen file is not kept beyond the end of the program, the form is.
  const isFileGone = source === "csv" && [preview.error, check.error].some(isChosenFileGone);
  const errorOf = (field: string) => {
    if (field === "file" && isFileGone)
      return t(listOf(draft) ? "retarget.gone" : "csv.gone", { name: file?.name ?? "", nest: false });
    if (refused?.code === "invalidInput" && refusedIn(refused) === field) return refused.message;
    return tried || left.has(field) ? needs.get(field) : undefined;
  };
  const leave = (field: string) => () => setLeft((before) => new Set(before).add(field));
  // What is about no field of the form is for the check to say.
  const wrongIn = (problems: readonly SendProblem[]) =>
    errorsOf(problems)
      .map(({ field }) => field)
      .filter((field) => field === "number" || field === "callbackData" || isPart(form, field));
  const unfinishedIn = (columns: readonly ValuePreview[]) => columns.filter(isUnfinished).map(({ part }) => part);
  const unfinished = unfinishedIn(preview.data?.columns ?? []);
  const missing = new Set([...needs.keys(), ...wrongIn(live), ...unfinished]).size;
  const { own, cards } = useMemo(() => cardsApart(groupParts(form.parts)), [form.parts]);
  const { frame, focus } = useFieldFocus((field) => {
    if (field === "callbackData") setAdvanced(true);
    const index = form.parts.find(({ id }) => id === field)?.card;
    if (index != null) {
      setOpenCards((before) => [...new Set([...before, String(index)])]);
      setCard(index);
    }
  });

  const planned = (next: BatchDraft, repeat: boolean) => {
    const asked = planRequest(workspace, reference, next, form);
    return asked && { ...asked, overrides: withRepeats(asked.overrides, repeat) };
  };
  const request = planned(draft, repeats);
  const outdated = checked !== undefined && check.keyOf(request) !== checked.request;
  const run = (next: BatchDraft, onPlan?: () => void, repeat = repeats) => {
    const asked = planned(next, repeat);
    if (!asked) return;
    check.check(asked, next, {
      onSuccess: (plan) => {
        setChecked({ request: check.keyOf(asked), plan });
        onPlan?.();
      },
      onError: ({ error }) => focus(refusedIn(error)),
      onReread: (saved) => {
        notifications.show({ message: t("csv.reread", { name: saved.name, nest: false }) });
        void take(saved, withFile).then(() => setGoesOn(true));
      },
    });
  };
  const submit = async () => {
    setTried(true);
    const needed = ["number", "ids", "file", "header", "to"].find((field) => needs.has(field));
    if (needed !== undefined) return focus(needed);
    // What is shown may be a moment older than what is typed. Where the preview fails, the check itself will tell.
    const now = await client.fetchQuery({ ...sendsQueries.batchPreview(first), staleTime: 0 }).then(
      (shown) => [...wrongIn(ofAll(shown.preview.problems)), ...unfinishedIn(shown.columns)],
      () => [],
    );
    const wrong = [...needs.keys(), ...now];
    if (wrong.length > 0) focus(firstAsked(wrong, form.parts));
    else run(draft, toReport);
  };
  const goOn = useEffectEvent(() => void submit());
  useEffect(() => {
    if (!goesOn) return;
    setGoesOn(false);
    goOn();
  }, [goesOn]);
  // The result, the marks and the accepted warnings are about the recipients before.
  const changeSource = (next: BatchDraft["source"]) => {
    setChecked(undefined);
    setTried(false);
    setLeft(new Set());
    setRow(0);
    check.reset();
    change({ source: next, ...withFilling(draft, reference, { overrides: [] }) });
  };
  const accept = (code: string, yes: boolean) => {
    if (code === RECENT_MARKETING) {
      setRepeats(yes);
      run(draft, undefined, yes);
      return;
    }
    const others = overrides.filter((other) => other !== code);
    const decided = withFilling(draft, reference, { overrides: yes ? [...others, code] : others });
    change(decided);
    // Rows that the warning stopped are checked again; the focus stays at the warnings.
    run({ ...draft, ...decided });
  };
  const map = (id: string, value: ValueSource | undefined) => {
    const { [id]: _, ...others } = mapped;
    change(withFilling(draft, reference, { mapped: value ? { ...others, [id]: value } : others }));
  };

  const mapBook = (id: string, value: ValueSource | undefined) => {
    const { [id]: _, ...others } = fields;
    if (value?.kind === "column") change(withFilling(draft, reference, { fields: { ...others, [id]: value } }));
    else {
      const typed = value?.value ?? "";
      change(withFilling(draft, reference, { fields: others, values: { ...values, [id]: typed } }));
    }
  };
  const fallBack = (id: string, fallback: string) => {
    const decided = withFallback(draft, reference, id, fallback);
    change(decided);
    run({ ...draft, ...decided });
  };
  const personColumns = usePersonColumns(workspace, shownRow.person);
  const personFields = personColumns.options.map(({ value }) => value);
  const filling = {
    previews,
    columns: personColumns,
    mapped: bookSources({ values, fields }),
    fixedFirst: true,
    problems: shown,
    errorOf,
    bubble: message?.bubble,
    onLeave: leave,
    onChange: mapBook,
  };
  const numberText = useNumberText(form)(draft.number);
  const labels = useFieldLabels(form, draft, reference);
  const uses = useUses(form, draft, reference);
  const plan = checked?.plan;
  const ready = plan !== undefined && !outdated && !check.isPending;
  const askStart = (start: BatchPlan) =>
    modals.open({
      title: t("start.title", { count: start.good }),
      children: (
        <StartForm
          plan={start}
          form={form}
          number={numberText}
          sandbox={sandbox}
          again={accepted.includes(DUPLICATE) ? start.duplicates : 0}
          spread={spread && accepted.includes(ABOVE_LIMIT)}
          repeated={accepted.includes(REPEATED) ? (start.repeated ?? []) : []}
          heldBack={accepted.includes(HELD_BACK) ? (start.heldBack ?? null) : null}
          onStarted={({ id }) => {
            forgetDraft(workspace);
            void navigate({ to: "/sends/batches/$batch", params: { batch: id } });
          }}
        />
      ),
    });

  return (
    <>
      <SplitView
        panelWidth="large"
        panel={
          <BatchPreview
            preview={preview}
            isExplained={isFileGone}
            form={form}
            card={card}
            number={debounced.batch.number}
            checks={plan?.media}
            label={shownRow.label}
            row={shownRow.row}
            rows={shownRow.rows}
            onRow={setRow}
          />
        }
      >
        <div className={sends.form}>
          <div className={sends.fields} ref={frame}>
            <GeneralProblems workspace={workspace} reference={reference} form={form} problems={live} />
            <fieldset className={sends.section}>
              <legend>{t("new.people")}</legend>
              <div className={sends.parts}>
                <NumberSelect
                  numbers={form.numbers}
                  value={draft.number}
                  onChange={(number) => change({ number })}
                  onBlur={leave("number")}
                  problems={shown.get("number") ?? []}
                  error={errorOf("number")}
                />
                <SendingNotices workspace={workspace} number={draft.number} />
                <SegmentedControl
                  aria-label={t("new.source")}
                  className={classes.source}
                  value={source}
                  onChange={(next) => changeSource(next === "csv" ? "csv" : "recipients")}
                  data={[
                    { value: "recipients", label: t("new.fromRecipients") },
                    { value: "csv", label: t("new.fromCsv") },
                  ]}
                />
                {source === "recipients" ? (
                  <RecipientChoice
                    workspace={workspace}
                    chosen={ids}
                    onChange={(next) => change(withRecipients(draft, next))}
                    error={errorOf("ids")}
                  />
                ) : (
                  <CsvChoice
                    workspace={workspace}
                    file={file}
                    people={listOf(draft)}
                    isGone={isFileGone}
                    to={draft.to}
                    name={draft.name}
                    country={draft.country}
                    uses={uses}
                    onFile={(next) => void take(next, withFile)}
                    onHeader={(next) => void take(next, withHeader)}
                    onChange={change}
                    errorOf={errorOf}
                  />
                )}
              </div>
            </fieldset>
            {source === "csv" ? (
              file && (
                <MappingFields
                  parts={form.parts}
                  columns={{
                    options: file.columns.map((column) => ({ value: column, label: column })),
                    valueOf: (column) => file.sample[0]?.[file.columns.indexOf(column)],
                    heading: t("map.columns"),
                    example: (value) => t("map.sample", { value, nest: false }),
                    unchanged: t("map.formats.none"),
                  }}
                  mapped={mapped}
                  previews={previews}
                  problems={shown}
                  errorOf={errorOf}
                  onLeave={leave}
                  onChange={map}
                />
              )
            ) : (
              <>
                {form.parts.length > 0 && (
                  <Group gap="0.5rem 0.75rem">
                    <span className={classes.text}>{t("new.values")}</span>
                    <Button
                      variant="light"
                      leftSection={<IconWand size={15} aria-hidden />}
                      onClick={() => change(withExamples(draft, reference, form, personFields))}
                    >
                      {t("form.fill", { ns: "sends" })}
                    </Button>
                  </Group>
                )}
                {own.map((group) => (
                  <MappingGroup key={group.key} group={group} {...filling} />
                ))}
                {cards.length > 0 && (
                  <CardFields
                    cards={cards}
                    opened={openCards}
                    onOpen={setOpenCards}
                    onCard={setCard}
                    errors={errorsOf(live)}
                    loud={tried}
                  >
                    {(group) => <MappingGroup group={group} inCard {...filling} />}
                  </CardFields>
                )}
              </>
            )}
            {form.parts.length === 0 && <p className={sends.stepText}>{t("form.nothingToFill", { ns: "sends" })}</p>}
            <ComparisonChoice draft={stored} template={{ reference, name: form.name }} onChange={change} />
            <CallbackFields
              value={draft}
              onChange={change}
              problems={shown.get("callbackData") ?? []}
              error={errorOf("callbackData")}
              sent={message?.callback}
              opened={advanced}
              onOpen={setAdvanced}
              onBlur={leave("callbackData")}
            />
            {plan && (
              <PlanReport
                plan={plan}
                labelOf={labels}
                accepted={accepted}
                outdated={outdated}
                share={check.side && (check.side.isFirst ? check.side.share : 100 - check.side.share)}
                onAccept={accept}
                spread={spread}
                onSpread={setSpread}
                sourceOf={(field) => (source === "csv" ? mapped[field] : fields[field])}
                onFallback={fallBack}
                onCountry={(country) => {
                  change({ country });
                  run({ ...draft, country });
                }}
              />
            )}
          </div>
        </div>
      </SplitView>
      <ActionFooter>
        {check.error && !isFileGone && <ErrorNotice error={check.error} />}
        <ActionBar
          status={
            check.isPending
              ? t("check.running")
              : tried && missing > 0
                ? t("form.missing", { ns: "sends", count: missing })
                : plan === undefined
                  ? t("check.first")
                  : outdated
                    ? t("check.outdated")
                    : plan.bad === 0
                      ? t("check.allGood", { count: plan.good })
                      : t("check.someBad", { count: plan.bad, good: plan.good })
          }
        >
          <Button
            size="sm"
            variant={ready && plan.good > 0 ? "default" : "filled"}
            leftSection={<IconChecklist size={16} aria-hidden />}
            // Until its columns are known, a check would still be about the file before it.
            loading={check.isPending || isTaking}
            disabled={Boolean(form.blocked) || form.numbers.length === 0}
            onClick={() => void submit()}
          >
            {t(plan ? "check.again" : "check.run")}
          </Button>
          {ready && plan.good > 0 && check.side && request && (
            <ComparisonStep draft={stored} reference={reference} plan={plan} request={request} />
          )}
          {ready && plan.good > 0 && !check.side && (
            <Button size="sm" leftSection={<IconSend size={16} aria-hidden />} onClick={() => askStart(plan)}>
              {plan.bad === 0
                ? t("check.send", { count: plan.good })
                : t("check.skip", { count: plan.bad, good: plan.good })}
            </Button>
          )}
        </ActionBar>
      </ActionFooter>
    </>
  );
}

/** The field of a refused value. The host names it by its place in the request. */
function refusedIn(error: DeskError): string | undefined {
  return error.code === "invalidInput" ? error.field.replace(/^source\.(values\.)?/, "") : undefined;
}

const withRepeats = (overrides: string[], repeat: boolean) => (repeat ? [...overrides, RECENT_MARKETING] : overrides);

const isPart = ({ parts }: SendForm, field: string) => parts.some(({ id }) => id === field);

import { Alert, Button, Checkbox, Drawer, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PlannedRequest, SubmissionReport } from "@/bindings/app";
import type { Finding } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { usePlaceText } from "@/components/finding-place";
import { FindingList } from "@/components/findings";
import { Loading } from "@/components/loading";
import type { DeskFailure } from "@/lib/ipc/errors";
import { useCommand } from "@/lib/ipc/mutations";
import { useReturnFocus } from "@/lib/return-focus";
import { statusToast } from "@/lib/status-toast";
import { useWabaName } from "@/lib/waba-names";
import classes from "../composer.module.css";
import { Quota } from "../edit-banner";
import { useComposer, useComposerStore, useEdits } from "../store";
import { WabasSection } from "../wabas-section";
import { earlierOf, refusalOf, refusalsOf } from "./refusals";
import { RequestOutcome, RequestView } from "./request-view";
import { Summary } from "./summary";
import { usePlan } from "./use-plan";

interface SubmitSheetProps {
  /** Sends as soon as it is known what, unless the rules object. */
  sendsAtOnce: boolean;
  /** The result of the last submission. */
  report: SubmissionReport | undefined;
  onReport: (report: SubmissionReport) => void;
  flush: () => Promise<boolean>;
  forget: () => void;
  onClose: () => void;
  /** What the provider refused, to be shown at its field. */
  onRefused: (findings: Finding[]) => void;
  onJump: (path: string) => void;
}

/** Shows what will be sent and where, sends it, and says what became of each step. */
export function SubmitSheet(props: SubmitSheetProps) {
  const { sendsAtOnce, report, onReport, flush, forget, onClose, onRefused, onJump } = props;
  const { t } = useTranslation("composer");
  const navigate = useNavigate();
  const store = useComposerStore();
  const draft = useComposer((state) => state.draft);
  const quota = useComposer((state) => state.context?.quota);
  const approvedInSome = useComposer((state) => state.context?.approvedInSome === true);
  const placeText = usePlaceText();
  const nameOf = (place: string) => placeText(place, draft.template);
  const isEdit = draft.edits != null;
  const wabaName = useWabaName(draft.workspace);
  const submit = useCommand("submit_draft");
  const plan = usePlan(draft, { flush, isFixed: submit.isPending || report?.complete === true });
  const cancel = useCommand("cancel_submission");
  const [despite, setDespite] = useState(false);
  const [resends, setResends] = useState(false);
  const [overridden, setOverridden] = useState(false);

  const send = () => {
    const sent = store.getState().draft;
    submit.mutate(
      {
        draft: draft.id,
        despiteFindings: despite,
        overrides: overridden ? needsOverride : [],
        resendUnknown: resends,
      },
      {
        onSuccess: async (answer) => {
          onReport(answer);
          onRefused(refusalsOf(answer));
          if (!answer.complete) return;
          const isSame = store.getState().draft === sent;
          // What was typed meanwhile is stored, as an edit of the template.
          if (isSame && !answer.draftKept) forget();
          else await flush();
          const { name, language } = draft.template;
          // The decision of the review takes its place.
          notifications.show({ id: statusToast(name, language), color: "teal", message: t("submitted", { name }) });
          if (!isSame || answer.draftKept) {
            notifications.show({ color: "yellow", autoClose: false, message: t("draftKept") });
          }
          const earlier = earlierOf(answer);
          if (earlier.length > 0) {
            notifications.show({
              color: "yellow",
              autoClose: false,
              message: t("submittedEarlier", { count: earlier.length, wabas: earlier.map(wabaName).join(", ") }),
            });
          }
          if (answer.reference) {
            void navigate({ to: "/templates/$reference", params: { reference: answer.reference }, replace: true });
          } else {
            void navigate({ to: "/templates", replace: true });
          }
        },
        onError: ({ error }) => {
          const refusal = refusalOf(error);
          if (refusal) onRefused([refusal]);
        },
      },
    );
  };

  const needsOverride = plan.data?.needsOverride ?? [];
  const errors = plan.data?.findings.filter(({ severity }) => severity === "error") ?? [];
  const usual = plan.data?.findings.filter(
    ({ severity, code }) => severity !== "error" && needsOverride.includes(code),
  );
  const others = plan.data?.findings.filter(
    ({ severity, code }) => severity !== "error" && !needsOverride.includes(code),
  );

  const outcomeOf = (request: PlannedRequest) => {
    // An edit is one request, which names no accounts.
    const step = isEdit
      ? report?.steps[0]
      : report?.steps.find(({ wabaIds }) => wabaIds.join() === request.wabaIds.join());
    const reported = step?.outcome;
    // A listing has meanwhile reconciled an unknown outcome.
    const reconciled = reported?.state === "unknown" && request.outcome?.state === "accepted";
    return (reconciled ? undefined : reported) ?? request.outcome ?? undefined;
  };
  const outcomes = plan.data?.requests.flatMap((request) => outcomeOf(request) ?? []) ?? [];
  const unknown = outcomes.some(({ state }) => state === "unknown");
  // Requests that were certainly not carried out yet.
  const left = (plan.data?.requests.length ?? 0) - outcomes.filter(({ state }) => state !== "refused").length;
  const action =
    errors.length > 0
      ? "despite"
      : outcomes.length === 0
        ? "submit"
        : outcomes.some(({ state }) => state === "accepted")
          ? "continue"
          : "again";
  const jump = (finding: Finding) => onJump(finding.path);

  const begun = useRef(false);
  const sendNow = useEffectEvent(() => {
    if (begun.current || errors.length > 0 || needsOverride.length > 0 || unknown) return;
    begun.current = true;
    send();
  });
  useEffect(() => {
    if (sendsAtOnce && plan.data) sendNow();
  }, [sendsAtOnce, plan.data]);

  // The button is below a long summary, the outcome above it.
  const results = useRef<HTMLDivElement>(null);
  const isFailed = submit.isError || report?.complete === false;
  useEffect(() => {
    if (isFailed && !submit.isPending) results.current?.scrollIntoView({ block: "nearest" });
  }, [isFailed, submit.isPending]);

  useReturnFocus();
  // The drawer opens before it is known what will be sent.
  const primary = useRef<HTMLButtonElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const isPlanned = plan.data !== undefined;
  useEffect(() => {
    if (!isPlanned) return;
    const timer = setTimeout(
      () => (primary.current?.disabled ? back : primary).current?.focus({ preventScroll: true }),
      0,
    );
    return () => clearTimeout(timer);
  }, [isPlanned]);

  return (
    <Drawer
      opened
      // What is under way is stopped or waited for; its outcome belongs here.
      onClose={() => !submit.isPending && onClose()}
      position="right"
      size={isEdit ? "min(54rem, 92vw)" : "min(44rem, 92vw)"}
      title={t(isEdit ? "sheet.titleEdit" : "sheet.title")}
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }), disabled: submit.isPending }}
      classNames={{ body: classes.sheet, title: classes.sheetTitle }}
    >
      {plan.isPending && <Loading />}
      {plan.isError && <PlanFailure failure={plan.error} onRetry={plan.refetch} onClose={onClose} />}
      {plan.data && (
        <>
          {isEdit && approvedInSome && (
            <Alert color="yellow" variant="light" icon={<IconAlertTriangle size={20} stroke={1.7} aria-hidden />}>
              {t("sheet.mixed")}
            </Alert>
          )}
          {isEdit && quota?.nextAt != null && <Quota quota={quota} />}
          {errors.length > 0 && (
            <section>
              <h3>{t("sheet.errors", { count: errors.length })}</h3>
              <FindingList
                findings={errors}
                label={t("sheet.errors", { count: errors.length })}
                nameOf={nameOf}
                onJump={jump}
              />
              <Checkbox
                mt="sm"
                label={t("sheet.despiteLabel")}
                description={t("sheet.despiteHint")}
                checked={despite}
                disabled={submit.isPending}
                onChange={({ currentTarget: { checked } }) => setDespite(checked)}
              />
            </section>
          )}
          {usual && usual.length > 0 && (
            <section>
              <h3>{t("sheet.usual")}</h3>
              <FindingList findings={usual} label={t("sheet.usual")} nameOf={nameOf} onJump={jump} />
              <Checkbox
                mt="sm"
                label={t("sheet.overrideLabel")}
                description={t("sheet.overrideHint")}
                checked={overridden}
                disabled={submit.isPending}
                onChange={({ currentTarget: { checked } }) => setOverridden(checked)}
              />
            </section>
          )}
          {others && others.length > 0 && (
            <section>
              <h3>{t("sheet.others")}</h3>
              <FindingList findings={others} label={t("sheet.others")} nameOf={nameOf} onJump={jump} />
            </section>
          )}
          <div ref={results} className={classes.results}>
            {submit.isError && <ErrorNotice error={submit.error} />}
            {plan.data.requests.map((request, index) => (
              <RequestOutcome
                key={index}
                request={request}
                outcome={outcomeOf(request)}
                sending={submit.isPending}
                onJump={onJump}
              />
            ))}
          </div>
          <Summary draft={draft} plan={plan.data} />
          <details className={classes.technical}>
            <summary>{t("sheet.requests", { count: plan.data.requests.length })}</summary>
            {plan.data.requests.map((request, index) => (
              <RequestView key={index} request={request} />
            ))}
          </details>
          {unknown && (
            <Checkbox
              label={t("sheet.resendLabel")}
              description={t(isEdit ? "sheet.resendHintEdit" : "sheet.resendHint")}
              checked={resends}
              disabled={submit.isPending}
              onChange={({ currentTarget: { checked } }) => setResends(checked)}
            />
          )}
          <Group justify="flex-end" gap="xs" className={classes.sheetFoot}>
            {submit.isPending ? (
              <Button
                variant="default"
                loading={cancel.isPending}
                onClick={() => cancel.mutate({ draft: draft.id })}
                data-autofocus
              >
                {t("sheet.cancel")}
              </Button>
            ) : (
              <Button ref={back} variant="default" onClick={onClose}>
                {t("sheet.back")}
              </Button>
            )}
            <Button
              ref={primary}
              color={action === "despite" ? "red" : undefined}
              onClick={send}
              loading={submit.isPending}
              disabled={
                (errors.length > 0 && !despite) ||
                (needsOverride.length > 0 && !overridden) ||
                (left === 0 && !(unknown && resends))
              }
            >
              {t(`sheet.${action}`)}
            </Button>
          </Group>
        </>
      )}
    </Drawer>
  );
}

interface PlanFailureProps {
  failure: DeskFailure;
  onRetry: () => unknown;
  onClose: () => void;
}

/** Why there is nothing to send; a missing account is chosen here. */
function PlanFailure({ failure, onRetry, onClose }: PlanFailureProps) {
  const { t } = useTranslation("composer");
  const isEdit = useEdits();
  const { error } = failure;
  if (error.code === "invalidInput" && error.field === "wabaIds") {
    return (
      <>
        <p role="alert">{t("sheet.noAccount")}</p>
        <WabasSection />
      </>
    );
  }
  if (error.code === "invalidInput" && error.field === "" && isEdit) {
    return (
      <>
        <p role="alert">{error.message}</p>
        <Button variant="default" onClick={onClose} data-autofocus style={{ alignSelf: "start" }}>
          {t("sheet.back")}
        </Button>
      </>
    );
  }
  return <ErrorNotice error={failure} onRetry={() => void onRetry()} />;
}

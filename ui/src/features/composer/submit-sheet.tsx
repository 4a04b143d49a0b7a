import { Badge, Button, Code, Drawer, Group, Progress, Table, Tabs } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconQuestionMark, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeskError, Draft, PlannedRequest, StepOutcome, SubmissionReport } from "@/bindings/app";
import type { Finding } from "@/bindings/model";
import { CopyButton } from "@/components/copy-button";
import { ErrorNotice } from "@/components/error-notice";
import { FindingList } from "@/components/findings";
import { JsonView } from "@/components/json-view";
import { Loading } from "@/components/loading";
import { call } from "@/lib/ipc/client";
import { useDeskEvent } from "@/lib/ipc/events";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import classes from "./composer.module.css";

interface SubmitSheetProps {
  draft: Draft;
  flush: () => Promise<boolean>;
  forget: () => void;
  onClose: () => void;
  /** What the provider refused, to be shown at its field. */
  onRefused: (findings: Finding[]) => void;
  onJump: (path: string) => void;
}

/** Shows what will be sent and where, sends it, and says what became of each step. */
export function SubmitSheet({ draft, flush, forget, onClose, onRefused, onJump }: SubmitSheetProps) {
  const { t } = useTranslation("composer");
  const navigate = useNavigate();
  const plan = useQuery({
    ...queries.plan(draft.id),
    queryFn: async () => {
      // The plan is made of what is stored.
      await flush();
      return call("plan_submission", { draft: draft.id });
    },
  });
  const submit = useCommand("submit_draft");
  const [report, setReport] = useState<SubmissionReport>();

  const send = () =>
    submit.mutate(
      { draft: draft.id, despiteFindings: false },
      {
        onSuccess: (answer) => {
          setReport(answer);
          onRefused(refusalsOf(answer));
          if (!answer.complete) return;
          forget();
          notifications.show({ color: "teal", message: t("submitted", { name: draft.template.name }) });
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

  const errors = plan.data?.findings.filter(({ severity }) => severity === "error") ?? [];
  const others = plan.data?.findings.filter(({ severity }) => severity !== "error") ?? [];
  const outcomeOf = (request: PlannedRequest) =>
    report?.steps.find(({ wabaIds }) => wabaIds.join() === request.wabaIds.join())?.outcome ??
    request.outcome ??
    undefined;
  const outcomes = plan.data?.requests.flatMap((request) => outcomeOf(request) ?? []) ?? [];
  const action =
    outcomes.length === 0 ? "submit" : outcomes.some(({ state }) => state === "accepted") ? "continue" : "again";
  const jump = (finding: Finding) => onJump(finding.path);

  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="min(44rem, 92vw)"
      title={t(draft.edits == null ? "sheet.title" : "sheet.titleEdit")}
      closeButtonProps={{ "aria-label": t("close", { ns: "common" }) }}
      classNames={{ body: classes.sheet, title: classes.sheetTitle }}
    >
      {plan.isPending && <Loading />}
      {plan.isError && <ErrorNotice error={plan.error} onRetry={() => void plan.refetch()} />}
      {plan.data && (
        <>
          {errors.length > 0 && (
            <section>
              <h3>{t("sheet.errors", { count: errors.length })}</h3>
              <FindingList findings={errors} label={t("sheet.errors", { count: errors.length })} onJump={jump} />
            </section>
          )}
          {others.length > 0 && (
            <section>
              <h3>{t("sheet.others")}</h3>
              <FindingList findings={others} label={t("sheet.others")} onJump={jump} />
            </section>
          )}
          {submit.isError && <ErrorNotice error={submit.error} />}
          <section>
            <h3>{t("sheet.requests", { count: plan.data.requests.length })}</h3>
            {plan.data.requests.map((request, place) => (
              <RequestView
                key={place}
                draft={draft.id}
                request={request}
                outcome={outcomeOf(request)}
                sending={submit.isPending}
              />
            ))}
          </section>
          <Group justify="flex-end" gap="xs" className={classes.sheetFoot}>
            <Button variant="default" onClick={onClose}>
              {t("sheet.back")}
            </Button>
            <Button
              onClick={send}
              loading={submit.isPending}
              disabled={errors.length > 0 || plan.data.requests.length === 0}
            >
              {t(`sheet.${action}`)}
            </Button>
          </Group>
        </>
      )}
    </Drawer>
  );
}

interface RequestViewProps {
  draft: string;
  request: PlannedRequest;
  outcome: StepOutcome | undefined;
  sending: boolean;
}

function RequestView({ draft, request, outcome, sending }: RequestViewProps) {
  const { t } = useTranslation("composer");
  return (
    <article className={classes.request} aria-label={request.wabaIds.join(", ")}>
      <header>
        <Badge variant="light" radius="sm" ff="monospace">
          {request.method}
        </Badge>
        <Code className={classes.url}>{request.url}</Code>
        {outcome && <OutcomeBadge outcome={outcome} />}
      </header>
      {request.wabaIds.length > 0 && (
        <p className={classes.quiet}>
          {t("wabas")}: <span className={classes.mono}>{request.wabaIds.join(", ")}</span>
        </p>
      )}
      {sending && !outcome && <UploadProgress draft={draft} wabas={request.wabaIds} />}
      {outcome && outcome.state !== "accepted" && (
        <>
          {outcome.state === "unknown" && <p className={classes.quiet}>{t("outcome.unknownText")}</p>}
          <ErrorNotice error={outcome.error} />
        </>
      )}
      <Tabs defaultValue="body">
        <Tabs.List>
          <Tabs.Tab value="body">{t(request.json == null ? "sheet.parts" : "sheet.json")}</Tabs.Tab>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="body" pt="xs">
          {request.json == null ? (
            <Parts request={request} />
          ) : (
            <JsonView text={request.json} label={t("sheet.json")} maxHeight="20rem" />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="curl" pt="xs">
          <div className={classes.curl}>
            <pre>{request.curl}</pre>
            <CopyButton text={request.curl} label={t("sheet.copyCurl")} />
          </div>
        </Tabs.Panel>
      </Tabs>
    </article>
  );
}

function Parts({ request }: { request: PlannedRequest }) {
  const { t } = useTranslation("composer");
  return (
    <Table fz="xs" verticalSpacing={4} aria-label={t("sheet.parts")}>
      <Table.Tbody>
        {request.parts.map((part, place) => (
          <Table.Tr key={place}>
            <Table.Th scope="row" className={classes.mono} w="8rem">
              {part.name}
            </Table.Th>
            <Table.Td className={classes.part}>
              {part.fileName != null ? `${part.fileName} (${part.size ?? 0} B)` : part.value}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function UploadProgress({ draft, wabas }: { draft: string; wabas: string[] }) {
  const { t } = useTranslation("composer");
  const [percent, setPercent] = useState<number>();
  useDeskEvent((event) => {
    if (event.type !== "submissionProgress" || event.draft !== draft || !wabas.includes(event.waba)) return;
    setPercent(event.total > 0 ? Math.round((event.sent / event.total) * 100) : 100);
  });
  if (percent === undefined) return null;
  return <Progress value={percent} size="sm" aria-label={t("sheet.uploading", { percent })} />;
}

function OutcomeBadge({ outcome }: { outcome: StepOutcome }) {
  const { t } = useTranslation("composer");
  const color = { accepted: "teal", refused: "red", unknown: "orange" }[outcome.state];
  const Icon = { accepted: IconCheck, refused: IconX, unknown: IconQuestionMark }[outcome.state];
  return (
    <Badge variant="light" color={color} leftSection={<Icon size={12} aria-hidden />} style={{ flex: "none" }}>
      {t(`outcome.${outcome.state}`)}
    </Badge>
  );
}

function refusalsOf(report: SubmissionReport): Finding[] {
  return report.steps.flatMap(({ outcome }) => (outcome.state === "refused" ? outcome.findings : []));
}

/** A value that was refused before anything left, as a finding at its field. */
function refusalOf(error: DeskError): Finding | undefined {
  if (error.code !== "invalidInput") return undefined;
  const path = error.field.startsWith("/") || error.field === "" ? error.field : `/${error.field}`;
  return { code: "provider", severity: "error", path, message: error.message, values: {}, source: "", fixable: false };
}

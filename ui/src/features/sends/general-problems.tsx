import { Alert, Button, Group } from "@mantine/core";
import { IconBan, IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { SendForm } from "@/bindings/app";
import type { SendProblem, SendProblemCode } from "@/bindings/model";
import { useProblemText } from "@/components/send-problem-text";
import { useRefreshTemplates } from "@/lib/refresh";

interface GeneralProblemsProps {
  workspace: string;
  reference: string;
  form: SendForm;
  problems: readonly SendProblem[];
}

/** What is about no field of the form, with the way out: the template, the numbers of the workspace. */
export function GeneralProblems({ workspace, reference, form, problems }: GeneralProblemsProps) {
  const { t } = useTranslation("sends");
  const text = useProblemText();
  const { refresh, isPending } = useRefreshTemplates();
  const { blocked, numbers, parts } = form;
  const fields = new Set(["to", "number", "callbackData", ...parts.map(({ id }) => id)]);
  const others = problems.filter(({ field, code }) => !fields.has(field) && code !== blocked?.code);
  const ways = (code: SendProblemCode) => (
    <Group gap="xs" mt="xs">
      {REFRESHED.has(code) && (
        <Button size="compact-sm" variant="default" loading={isPending} onClick={() => refresh(workspace)}>
          {t("form.refresh")}
        </Button>
      )}
      {OF_TEMPLATE.has(code) && (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/templates/$reference" params={{ reference }} {...props} />}
        >
          {t("form.toTemplate")}
        </Button>
      )}
      {code === "template.noNumber" && (
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => <Link to="/settings" search={{ section: "workspace", workspace }} {...props} />}
        >
          {t("form.toSettings")}
        </Button>
      )}
    </Group>
  );
  return (
    <>
      {blocked && (
        <Alert color="orange" variant="light" icon={<IconBan size={18} />} title={t("form.blocked")}>
          {text(blocked)}
          {ways(blocked.code)}
        </Alert>
      )}
      {numbers.length === 0 && <NoNumbers workspace={workspace} />}
      {others.map((problem) => (
        <Alert
          key={`${problem.field} ${problem.code}`}
          color={problem.severity === "error" ? "red" : "yellow"}
          variant="light"
          icon={<IconInfoCircle size={18} />}
        >
          {text(problem)}
          {ways(problem.code)}
        </Alert>
      ))}
    </>
  );
}

const REFRESHED = new Set<SendProblemCode>([
  "template.contradicted",
  "template.unknown",
  "template.stale",
  "template.status",
]);
const OF_TEMPLATE = new Set<SendProblemCode>([
  "template.archived",
  "template.categoryRaised",
  "template.contradicted",
  "template.status",
  "template.stale",
]);

/** A workspace without a number cannot send; Settings have the place to enter one. */
export function NoNumbers({ workspace }: { workspace: string }) {
  const { t } = useTranslation("sends");
  return (
    <Alert color="orange" variant="light" title={t("form.noNumbers")}>
      {t("form.noNumbersText")}{" "}
      <Link to="/settings" search={{ section: "workspace", workspace }}>
        {t("form.toSettings")}
      </Link>
    </Alert>
  );
}

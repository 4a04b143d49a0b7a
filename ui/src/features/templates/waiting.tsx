import { Alert, Button, Group } from "@mantine/core";
import { IconClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { useDurationText } from "@/components/duration";
import { useWorkspace } from "@/lib/desk";
import { queries } from "@/lib/ipc/queries";
import { templateQuery } from "@/lib/template-filter";

/** Of a template in review: that nothing is to be done but to wait, and how long that usually takes. */
export function Waiting({ detail: { row } }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const duration = useDurationText();
  const workspace = useWorkspace();
  const waits = row.status === "PENDING";
  const needs = useQuery({
    ...queries.reviewBoard(templateQuery(workspace.id, { archived: "all" }), false, 1),
    enabled: waits,
  }).data?.needs;
  if (!waits) return null;
  return (
    <Alert
      role="status"
      color="yellow"
      variant="light"
      icon={<IconClock size={20} stroke={1.7} />}
      title={t("waiting.title")}
    >
      <Group gap="xs" justify="space-between">
        <span>
          {needs && t(needs.usualSeen ? "waiting.usual" : "waiting.stated", { time: duration(needs.usualMs) })}{" "}
          {t(workspace.sandbox ? "waiting.sandbox" : "waiting.notified")}
        </span>
        {workspace.sandbox && (
          <Button size="compact-sm" variant="default" renderRoot={(props) => <Link to="/review" {...props} />}>
            {t("waiting.toReview")}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

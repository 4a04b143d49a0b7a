import { Alert, Button, Group } from "@mantine/core";
import { IconCircleX } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { TemplateDetail } from "@/bindings/app";
import { useBeginDraft } from "./template-actions";

/** Why the channel refused the template, in its own words, with the way on. */
export function Rejection({ detail }: { detail: TemplateDetail }) {
  const { t } = useTranslation("templates");
  const begin = useBeginDraft(detail);
  const { rejectedReason } = detail.row;
  const { rejectionAdvice } = detail;
  if (!rejectedReason && !rejectionAdvice) return null;
  return (
    <Alert
      role="alert"
      color="red"
      variant="light"
      icon={<IconCircleX size={20} stroke={1.7} />}
      title={rejectedReason ? `${t("rejected.title")}: ${rejectedReason}` : t("rejected.title")}
    >
      {rejectionAdvice && (
        <>
          <strong>{t("rejected.advice")}</strong>
          <p style={{ margin: "0.125rem 0 0", whiteSpace: "pre-line", overflowWrap: "anywhere" }}>{rejectionAdvice}</p>
        </>
      )}
      <Group gap="xs" mt="xs">
        {detail.editable && (
          <Button size="compact-sm" color="red" onClick={() => begin(true)}>
            {t("rejected.fix")}
          </Button>
        )}
        <Button size="compact-sm" variant="default" onClick={() => begin(false)}>
          {t("action.draft")}
        </Button>
      </Group>
    </Alert>
  );
}

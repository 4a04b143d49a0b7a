import { Button, Text } from "@mantine/core";
import { IconCopyPlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { RaisedCategory } from "@/bindings/app";
import type { PriceChange } from "@/bindings/model";
import { useCreateDraft } from "@/lib/create-draft";
import { dateFormat } from "@/lib/formats";
import { useMoney } from "@/lib/money";
import { ErrorNotice } from "./error-notice";
import { RateCardHint } from "./rate-card-hint";

/** What a change of the category adds to the costs of a month, in a few words; undefined if that is nothing, less, or unknown. */
export function useAddedText(): (month: PriceChange | null | undefined) => string | undefined {
  const { t } = useTranslation("costs");
  const money = useMoney();
  return (month) => {
    if (!month || Number(month.added) <= 0) return undefined;
    const added = money(month.added, month.currency);
    return t(month.isSample ? "raised.moreSample" : "raised.more", { added, nest: false });
  };
}

/** What a category that costs more costs, until when a review of it can be requested, and the way to a new text. */
export function RaisedCategoryFacts({ raised, reference }: { raised: RaisedCategory; reference: string }) {
  const { t, i18n } = useTranslation("costs");
  const draft = useCreateDraft();
  const { appealUntil } = raised;
  return (
    <>
      {raised.month ? <Month month={raised.month} /> : <RateCardHint />}
      {appealUntil != null && (
        <p>
          {t(appealUntil > Date.now() ? "raised.until" : "raised.over", {
            date: dateFormat(i18n.language, { dateStyle: "medium" }).format(new Date(appealUntil)),
          })}
        </p>
      )}
      <Text size="sm" c="dimmed" mt="xs">
        {t("raised.moveText")}
      </Text>
      <Button
        size="xs"
        variant="default"
        mt="0.375rem"
        leftSection={<IconCopyPlus size={15} aria-hidden />}
        loading={draft.isPending}
        onClick={() => draft.begin({ fromTemplate: reference, edit: false, asUtility: true })}
      >
        {t("raised.move")}
      </Button>
      {draft.error !== null && <ErrorNotice error={draft.error} />}
    </>
  );
}

function Month({ month }: { month: PriceChange }) {
  const { t } = useTranslation("costs");
  const money = useMoney();
  const { messages, unknown, currency } = month;
  if (messages === 0) return <p>{t("raised.none")}</p>;
  if (unknown === messages) return <p>{t("raised.noPrice")}</p>;
  const [before, after, added] = [month.before, month.after, month.added].map((sum) => money(sum, currency));
  return (
    <p>
      {t("raised.month", { count: messages - unknown, before, after, added, nest: false })}
      {unknown > 0 && ` ${t("unknown", { count: unknown })}`}
      {month.isSample && ` ${t("sample")}`}
    </p>
  );
}

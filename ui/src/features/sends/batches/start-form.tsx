import { Button, Group } from "@mantine/core";
import { modals } from "@mantine/modals";
import { IconSend } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Batch, BatchPlan, HeldBackPeople, RepeatedSend, SendForm } from "@/bindings/app";
import { useCostText } from "@/components/cost-text";
import { useDurationText } from "@/components/duration";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { countryName } from "@/lib/country-name";
import { useCommand } from "@/lib/ipc/mutations";
import { useLanguageName } from "@/lib/language-name";
import classes from "./batches.module.css";
import { useHeldBackText } from "./held-back-people";
import { useRepeatedText } from "./repeated-people";

interface StartFormProps {
  plan: BatchPlan;
  form: SendForm;
  /** Sending number, as people call it. */
  number: string;
  sandbox: boolean;
  /** Messages to numbers that get an earlier message of the batch, too. */
  again: number;
  /** Those above the messaging limit wait until there is room. */
  spread: boolean;
  /** People who got the template a short time ago and get it again. */
  repeated: readonly RepeatedSend[];
  /** People whom the channel held back and who are sent to anyway. */
  heldBack: HeldBackPeople | null;
  onStarted: (batch: Batch) => void;
}

/** The last look before messages leave: how many people get what from which number. */
export function StartForm({
  plan,
  form,
  number,
  sandbox,
  again,
  repeated,
  heldBack,
  spread,
  onStarted,
}: StartFormProps) {
  const { t, i18n } = useTranslation("batches");
  const duration = useDurationText();
  const languageName = useLanguageName();
  const repeatedText = useRepeatedText();
  const heldBackText = useHeldBackText();
  const costText = useCostText();
  const { t: ofCosts } = useTranslation("costs");
  const start = useCommand("start_batch");
  const divide = useCommand("spread_batch");
  const send = () =>
    start.mutate(
      { batch: plan.id, skipBad: plan.bad > 0 },
      {
        onSuccess: (batch) => {
          modals.closeAll();
          onStarted(batch);
        },
      },
    );
  const run = () => (spread ? divide.mutate({ batch: plan.id }, { onSuccess: send }) : send());
  return (
    <div className={classes.start}>
      <p>{t("start.what", { count: plan.good })}</p>
      <Facts>
        <dt>{t("start.template")}</dt>
        <dd>
          {form.name} · {languageName(form.language)}
        </dd>
        <dt>{t("start.from")}</dt>
        <dd>{number}</dd>
        <dt>{t("start.people")}</dt>
        <dd>{t("start.good", { count: plan.good })}</dd>
        {plan.bad > 0 && (
          <>
            <dt>{t("start.left")}</dt>
            <dd>{t("start.bad", { count: plan.bad })}</dd>
          </>
        )}
        {plan.numbers.assumed > 0 && (
          <>
            <dt>{t("start.numbers")}</dt>
            <dd>
              {t("numbers.assumed", {
                count: plan.numbers.assumed,
                country: countryName(plan.numbers.country, i18n.language),
                nest: false,
              })}
            </dd>
          </>
        )}
        {spread && (
          <>
            <dt>{t("start.rest")}</dt>
            <dd>{t("start.restText")}</dd>
          </>
        )}
        <dt>{t("start.first")}</dt>
        <dd>{plan.sample.map(({ name, formatted }) => name || formatted).join(", ")}</dd>
        <dt>{ofCosts("title")}</dt>
        <dd>{plan.cost ? costText({ ...plan.cost, amount: plan.cost.total }, "about") : ofCosts("noPrices")}</dd>
        {!spread && (
          <>
            <dt>{t("plan.time")}</dt>
            <dd>{duration(plan.estimateMs)}</dd>
          </>
        )}
      </Facts>
      {repeated.map((of) => (
        <p key={of.batch ?? ""}>{repeatedText(of)}</p>
      ))}
      {heldBack && <p>{heldBackText(heldBack)}</p>}
      {again > 0 && <p>{t("plan.duplicates", { count: again })}</p>}
      <p className={classes.text}>{t(sandbox ? "start.sandbox" : "start.real")}</p>
      {divide.error && <ErrorNotice error={divide.error} />}
      {start.error && <ErrorNotice error={start.error} />}
      <Group justify="flex-end" gap="0.5rem">
        {/* Enter must not send to hundreds by mistake: the focus begins on the way back. */}
        <Button variant="default" data-autofocus onClick={() => modals.closeAll()}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          loading={divide.isPending || start.isPending}
          onClick={run}
        >
          {t(spread ? "start.runSpread" : "start.run", { count: plan.good })}
        </Button>
      </Group>
    </div>
  );
}

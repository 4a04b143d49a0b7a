import { Button, Switch } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SignatureReport, WorkspaceSummary } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { useCommand } from "@/lib/ipc/mutations";
import { isReversed, type Range, ScopeFields } from "./scope-fields";
import classes from "./support.module.css";

interface VerifyFormProps {
  workspace: WorkspaceSummary;
  onOpen: (seq: number) => void;
}

/** Checks the signatures of stored deliveries with the secrets of today. */
export function VerifyForm({ workspace, onOpen }: VerifyFormProps) {
  const { t } = useTranslation("support");
  const [range, setRange] = useState<Range>({ from: undefined, to: undefined });
  const [everywhere, setEverywhere] = useState(false);
  const verify = useCommand("verify_signatures");
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (isReversed(range)) return;
    verify.mutate({
      workspace: everywhere ? null : workspace.id,
      from: range.from ?? null,
      to: range.to ?? null,
    });
  };
  return (
    <form onSubmit={run} className={classes.form}>
      <p className={classes.text}>{t("verify.text")}</p>
      <ScopeFields range={range} onChange={setRange} />
      <Switch
        label={t("verify.everywhere")}
        description={t("verify.everywhereText", { name: workspace.name })}
        checked={everywhere}
        onChange={(event) => setEverywhere(event.currentTarget.checked)}
      />
      {verify.error && <ErrorNotice error={verify.error} />}
      {verify.isPending && (
        <p className={classes.text} role="status">
          {t("verify.running")}
        </p>
      )}
      {verify.data && <Report report={verify.data} onOpen={onOpen} />}
      <div className={classes.formActions}>
        <Button type="submit" loading={verify.isPending}>
          {t("verify.run")}
        </Button>
      </div>
    </form>
  );
}

function Report({ report, onOpen }: { report: SignatureReport; onOpen: (seq: number) => void }) {
  const { t, i18n } = useTranslation("support");
  const number = new Intl.NumberFormat(i18n.language);
  const { checked, invalid, invalidSeqs } = report;
  return (
    <section className={classes.result} aria-label={t("verify.result")}>
      <p role="status">
        <strong>
          {checked === 0
            ? t("verify.none")
            : invalid === 0
              ? t("verify.good", { count: checked })
              : t("verify.bad", { count: invalid })}
        </strong>
      </p>
      <Facts>
        <dt>{t("verify.checked")}</dt>
        <dd>{number.format(checked)}</dd>
        {(["current", "previous", "invalid", "absent", "noSecret"] as const).map((verdict) => (
          <div key={verdict} className={classes.header}>
            <dt>{t(`signature.${verdict}.title`)}</dt>
            <dd>{number.format(report[verdict])}</dd>
          </div>
        ))}
      </Facts>
      {invalid > 0 && (
        <>
          <p className={classes.text}>{t("signature.invalid.text")}</p>
          <p className={classes.text}>
            {invalidSeqs.length < invalid ? t("verify.firstPlaces", { count: invalidSeqs.length }) : t("verify.places")}
          </p>
          <ul className={classes.places}>
            {invalidSeqs.map((seq) => (
              <li key={seq}>
                <Button
                  size="compact-xs"
                  variant="default"
                  aria-label={t("verify.openPlace", { seq })}
                  onClick={() => onOpen(seq)}
                >
                  {seq}
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

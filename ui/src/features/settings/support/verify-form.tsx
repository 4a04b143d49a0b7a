import { Button, Switch } from "@mantine/core";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { SignatureReport, WorkspaceSummary } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import styles from "@/components/styles.module.css";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { isInvalid, type Range, ScopeFields } from "./scope-fields";
import classes from "./support.module.css";

interface VerifyFormProps {
  workspace: WorkspaceSummary;
  onOpen: (seq: number) => void;
}

interface VerifyValues extends Range {
  /** Whether the deliveries of all workspaces are checked. */
  everywhere: boolean;
}

/** Checks the signatures of stored deliveries with the secrets of today. */
export function VerifyForm({ workspace, onOpen }: VerifyFormProps) {
  const { t } = useTranslation("support");
  const verify = useCommand("verify_signatures");
  const form = useForm<VerifyValues>({
    initial: { from: undefined, to: undefined, everywhere: false },
    onChange: verify.reset,
  });
  const { everywhere, ...range } = form.values;
  const run = (event: FormEvent) => {
    event.preventDefault();
    if (isInvalid(range)) return;
    verify.mutate({
      workspace: everywhere ? null : workspace.id,
      from: range.from ?? null,
      to: range.to ?? null,
    });
  };
  return (
    <form onSubmit={run} className={classes.form}>
      <p className={styles.muted}>{t("verify.text")}</p>
      <ScopeFields range={range} onChange={form.change} />
      <Switch
        label={t("verify.everywhere")}
        description={t("verify.everywhereText", { name: workspace.name })}
        checked={everywhere}
        onChange={(event) => form.change({ everywhere: event.currentTarget.checked })}
      />
      {verify.error && <ErrorNotice error={verify.error} />}
      {verify.isPending && (
        <p className={styles.muted} role="status">
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
          <p className={styles.muted}>{t("signature.invalid.text")}</p>
          <p className={styles.muted}>
            {invalidSeqs.length < invalid ? t("verify.firstPlaces", { count: invalidSeqs.length }) : t("verify.places")}
          </p>
          <ul className={classes.sequences}>
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

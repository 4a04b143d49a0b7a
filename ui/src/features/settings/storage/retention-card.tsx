import { Button } from "@mantine/core";
import { modals } from "@mantine/modals";
import { notifications } from "@mantine/notifications";
import { IconEye, IconTrash } from "@tabler/icons-react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { RetentionPolicy, RetentionPreview } from "@/bindings/app";
import { Card } from "@/components/card";
import { ErrorNotice } from "@/components/error-notice";
import { Facts } from "@/components/facts";
import { Instant } from "@/components/instant";
import { NumberField } from "@/components/number-field";
import { hasInvalidNumber } from "@/components/number-text";
import styles from "@/components/styles.module.css";
import { byteSize } from "@/lib/bytes";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import classes from "../settings.module.css";
import { type Days, daysOf, isSamePolicy, policyOf, RETENTION_KINDS } from "./retention";

/** Most days a rule can have. */
const MAX_DAYS = 36_500;

/** How long deliveries are kept. What a policy would remove is shown before it can be set. */
export function RetentionCard({ policy }: { policy: RetentionPolicy }) {
  const { t } = useTranslation("storage");
  const preview = useCommand("preview_retention");
  const save = useCommand("set_retention");
  const form = useForm<Days>({
    initial: daysOf(policy),
    onChange: () => {
      preview.reset();
      save.reset();
    },
  });
  const edited = policyOf(form.values);
  const changed = !isSamePolicy(edited, policy);
  // Only what was looked at can be set.
  const previewed = preview.data !== undefined && isSamePolicy(preview.variables, edited);
  const failure = preview.error ?? save.error;

  const look = (event: FormEvent) => {
    event.preventDefault();
    if (!hasInvalidNumber(form.values)) preview.mutate(edited);
  };
  const store = () =>
    save.mutate(edited, {
      onSuccess: () => {
        preview.reset();
        notifications.show({ message: t("retention.saved") });
      },
    });

  return (
    <Card title={t("retention.title")} text={t("retention.text")}>
      <form onSubmit={look} className={classes.rows}>
        <div className={classes.retention}>
          {RETENTION_KINDS.map((kind) => (
            <NumberField
              key={kind}
              size="sm"
              label={t(`retention.kind.${kind}`)}
              description={t(`retention.kindHint.${kind}`)}
              placeholder={t("retention.forEver")}
              unit={t("retention.days")}
              optional
              min={1}
              max={MAX_DAYS}
              value={form.values[kind]}
              onChange={(days) => form.change({ [kind]: days })}
            />
          ))}
        </div>
        <p className={styles.muted}>{t("retention.whole")}</p>
        {failure && <ErrorNotice error={failure} />}
        {preview.data && previewed && <Preview preview={preview.data} />}
        <div className={classes.buttons}>
          <Button
            type="submit"
            variant={previewed || !changed ? "default" : "filled"}
            leftSection={<IconEye size={15} aria-hidden />}
            loading={preview.isPending}
          >
            {t("retention.preview")}
          </Button>
          <Button loading={save.isPending} disabled={!changed || !previewed} onClick={store}>
            {t("retention.set")}
          </Button>
          {policy.rules.length > 0 && <ApplyNow policy={policy} disabled={changed} />}
        </div>
        <p className={styles.muted} role="status">
          {changed
            ? t(previewed ? "retention.notSet" : "retention.lookFirst")
            : t(policy.rules.length === 0 ? "retention.nothing" : "retention.daily")}
        </p>
      </form>
    </Card>
  );
}

function Preview({ preview: { deliveries, bytes, kinds, before } }: { preview: RetentionPreview }) {
  const { t, i18n } = useTranslation("storage");
  const number = new Intl.NumberFormat(i18n.language);
  return (
    <section className={classes.preview} aria-label={t("retention.previewTitle")}>
      <p role="status">
        <strong>
          {deliveries === 0
            ? t("retention.removesNothing")
            : t("retention.removes", {
                count: deliveries,
                number: number.format(deliveries),
                size: byteSize(bytes, i18n.language),
              })}
        </strong>
      </p>
      {deliveries > 0 && (
        <>
          {before != null && (
            <p>
              {t("retention.newest")} <Instant at={before} format="full" />
            </p>
          )}
          <Facts>
            {kinds.map(({ kind, items }) => (
              <div key={kind} className={classes.contents}>
                <dt>{t(`retention.kind.${kind}`)}</dt>
                <dd>{t("retention.items", { count: items, number: number.format(items) })}</dd>
              </div>
            ))}
          </Facts>
          <p>{t("retention.stays")}</p>
        </>
      )}
    </section>
  );
}

/** Removes what the policy in force removes, after saying what that is. */
function ApplyNow({ policy, disabled }: { policy: RetentionPolicy; disabled: boolean }) {
  const { t, i18n } = useTranslation("storage");
  const preview = useCommand("preview_retention");
  const apply = useCommand("apply_retention");
  const number = (value: number) => new Intl.NumberFormat(i18n.language).format(value);
  const failure = preview.error ?? apply.error;

  const run = () =>
    apply.mutate(
      {},
      {
        onSuccess: ({ deliveries, bytes }) =>
          notifications.show({
            message: t("retention.removed", {
              count: deliveries,
              number: number(deliveries),
              size: byteSize(bytes, i18n.language),
            }),
          }),
      },
    );
  const ask = () =>
    preview.mutate(policy, {
      onSuccess: (found) => {
        if (found.deliveries === 0) {
          notifications.show({ message: t("retention.removesNothing") });
          return;
        }
        modals.openConfirmModal({
          title: t("retention.applyTitle"),
          children: (
            <div className={classes.rows}>
              <Preview preview={found} />
              <p className={styles.muted}>{t("retention.applyText")}</p>
            </div>
          ),
          labels: {
            confirm: t("retention.applyConfirm", { count: found.deliveries, number: number(found.deliveries) }),
            cancel: t("cancel", { ns: "common" }),
          },
          confirmProps: { color: "red" },
          closeButtonProps: { "aria-label": t("close", { ns: "common" }) },
          onConfirm: run,
        });
      },
    });

  return (
    <>
      <Button
        variant="light"
        color="red"
        leftSection={<IconTrash size={15} aria-hidden />}
        loading={preview.isPending || apply.isPending}
        disabled={disabled}
        onClick={ask}
      >
        {t("retention.apply")}
      </Button>
      {apply.isPending && (
        <span className={styles.muted} role="status">
          {t("retention.removing")}
        </span>
      )}
      {failure && <ErrorNotice error={failure} />}
    </>
  );
}

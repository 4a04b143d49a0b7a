import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Template } from "@/bindings/model";
import { DataField } from "./data-field";
import classes from "./edit.module.css";
import { NotesAt } from "./field";
import { ORDER_EXAMPLE, PIX_EXAMPLE } from "./payment-examples";
import { PaymentFile } from "./payment-file";
import { Section } from "./section";
import { type ComposerState, useComposer } from "./store";

/** Whether a template has to do with payments (upstream §10). */
function isPayment({ draft: { template, pixFile, orderFile } }: ComposerState): boolean {
  return (
    template.display_format === "ORDER_DETAILS" ||
    template.pix_data !== undefined ||
    template.order_data !== undefined ||
    pixFile != null ||
    orderFile != null ||
    hasOrderButton(template)
  );
}

function hasOrderButton({ components }: Template): boolean {
  return components.some(
    (component) =>
      component.type === "BUTTONS" &&
      Array.isArray(component.buttons) &&
      component.buttons.some(({ type }) => type === "ORDER_DETAILS"),
  );
}

const HINTS = ["shape", "pix", "order", "amounts", "sum", "items", "header"] as const;

/** Payment and order data with their files (contract §4.3). */
export function PaymentSection() {
  const { t } = useTranslation("composer");
  const needed = useComposer(isPayment);
  const [asked, setAsked] = useState(false);
  if (!needed && !asked) {
    return (
      <div>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {t("payment.add")}
        </Button>
      </div>
    );
  }
  return (
    <Section title={t("payment.title")}>
      <details className={classes.advanced}>
        <summary>{t("payment.hints.title")}</summary>
        <ul className={classes.hints}>
          {HINTS.map((hint) => (
            <li key={hint}>{t(`payment.hints.${hint}`)}</li>
          ))}
        </ul>
      </details>
      <DataField field="pix_data" label={t("payment.pix")} example={PIX_EXAMPLE} />
      <PaymentFile kind="pixFile" label={t("payment.pixFile")} />
      <DataField field="order_data" label={t("payment.order")} example={ORDER_EXAMPLE} />
      <PaymentFile kind="orderFile" label={t("payment.orderFile")} />
      <NotesAt paths={["/pix_file", "/order_file"]} />
    </Section>
  );
}

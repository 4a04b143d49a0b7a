import { Button, Group, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneRow } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { useWordedError } from "@/components/use-worded-error";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { fieldName } from "./field-name";
import classes from "./sandbox-phone.module.css";

/** Opens the form of a phone: a new one, or the name of one that is there. */
export function useAddPhone(onAdded: (recipient: string) => void): (phone?: PhoneRow) => void {
  const { t } = useTranslation("sandboxPhone");
  return (phone) =>
    modals.open({
      title: t(phone ? "add.rename" : "add.title"),
      children: <AddPhone phone={phone} onAdded={onAdded} />,
    });
}

function AddPhone({ phone, onAdded }: { phone: PhoneRow | undefined; onAdded: (recipient: string) => void }) {
  const { t } = useTranslation("sandboxPhone");
  const add = useCommand("add_phone");
  const worded = useWordedError();
  const form = useForm({
    initial: { recipient: phone?.recipient ?? "", name: phone?.name ?? "" },
    errors: [worded(add.error?.error)],
    fields: ["recipient", "name"],
    fieldOf: fieldName,
    onChange: add.reset,
  });
  const { recipient, name } = form.values;
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate(
      { recipient: recipient.trim(), name: name.trim() || null },
      {
        onSuccess: (added) => {
          modals.closeAll();
          onAdded(added.recipient);
        },
      },
    );
  };
  return (
    <form className={classes.settingsForm} onSubmit={onSubmit}>
      <TextInput
        label={t("add.number")}
        description={t("add.numberHint")}
        placeholder="5511987654321"
        inputMode="tel"
        autoComplete="off"
        required
        readOnly={phone !== undefined}
        data-autofocus={phone === undefined || undefined}
        value={recipient}
        onChange={(event) => form.change({ recipient: event.currentTarget.value })}
        error={form.errorOf("recipient")}
      />
      <TextInput
        label={t("add.name")}
        description={t("add.nameHint")}
        autoComplete="off"
        data-autofocus={phone !== undefined || undefined}
        value={name}
        onChange={(event) => form.change({ name: event.currentTarget.value })}
        error={form.errorOf("name")}
      />
      {form.needsNotice(add.error?.error) && <ErrorNotice error={add.error} />}
      <Group justify="flex-end" gap="0.5rem">
        <Button variant="default" onClick={() => modals.closeAll()}>
          {t("cancel", { ns: "common" })}
        </Button>
        <Button type="submit" loading={add.isPending} disabled={recipient.trim() === ""}>
          {phone ? t("save", { ns: "common" }) : t("add.add")}
        </Button>
      </Group>
    </form>
  );
}

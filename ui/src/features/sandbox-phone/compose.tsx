import { ActionIcon, CloseButton, Group, Select, TextInput, Tooltip } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneMessage } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { SendButton } from "@/components/send-button";
import { useWordedError } from "@/components/use-worded-error";
import { onFileDrop } from "@/lib/ipc/client";
import { useCommand } from "@/lib/ipc/mutations";
import { useForm } from "@/lib/use-form";
import { fieldName } from "./field-name";
import { Quote } from "./message-view";
import classes from "./sandbox-phone.module.css";

export interface NumberOption {
  id: string;
  label: string;
}

interface ComposeProps {
  recipient: string;
  /** What the business is called. */
  business: string;
  /** Numbers of the business that can be written to. */
  numbers: NumberOption[];
  /** The number that is written to: the chosen one, else that of the last message. */
  number: string | null;
  onNumber: (number: string | undefined) => void;
  /** The message that is answered. */
  answered: PhoneMessage | undefined;
  onAnswered: () => void;
  /** The message of the phone whose text is edited. */
  edited: PhoneMessage | undefined;
  onEdited: () => void;
}

/** What the phone's owner sends: a text, or a file of this computer. */
export function Compose(props: ComposeProps) {
  const { recipient, business, numbers, number, onNumber, answered, onAnswered, edited, onEdited } = props;
  const { t } = useTranslation("sandboxPhone");
  const type = useCommand("type_text");
  const revise = useCommand("revise_phone_message");
  const attach = useCommand("send_phone_file");
  const worded = useWordedError();
  const form = useForm({
    initial: { text: "" },
    errors: [worded(type.error?.error), worded(revise.error?.error)],
    fields: ["text"],
    fieldOf: fieldName,
    onChange: () => {
      type.reset();
      revise.reset();
      attach.reset();
    },
  });
  const { text } = form.values;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (answered) field.current?.focus();
  }, [answered]);
  const edit = useEffectEvent((message: PhoneMessage) => {
    form.change({ text: message.text ?? "" });
    field.current?.focus();
  });
  useEffect(() => {
    if (edited) edit(edited);
  }, [edited]);
  const endEdit = () => {
    form.reset();
    onEdited();
  };

  const send = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim();
    if (typed === "" || type.isPending || revise.isPending) return;
    if (edited) {
      revise.mutate({ recipient, message: edited.id, text: typed }, { onSuccess: endEdit });
      return;
    }
    type.mutate(
      { recipient, text: typed, number, replyTo: answered?.id ?? null },
      {
        onSuccess: () => {
          form.reset();
          onAnswered();
        },
      },
    );
  };
  /** The typed text becomes the caption, as on a phone; without a path the file dialog opens. */
  const attachFile = async (path: string | null, isFirst: boolean) => {
    const caption = isFirst ? text.trim() || null : null;
    const replyTo = isFirst ? (answered?.id ?? null) : null;
    const file = { recipient, path, number, caption, replyTo };
    const sent = await attach.mutateAsync(file).catch(() => false);
    if (!sent) return false;
    form.reset();
    onAnswered();
    return true;
  };
  const takeDropped = useEffectEvent(async (paths: string[]) => {
    // One after the other, in the order in which they were dropped; a refused one holds back the rest.
    for (const [index, path] of paths.entries()) if (!(await attachFile(path, index === 0))) return;
  });
  const [over, setOver] = useState(false);
  useEffect(
    () =>
      onFileDrop((drop) => {
        setOver(drop.state === "over");
        if (drop.state === "dropped") void takeDropped(drop.paths);
      }),
    [],
  );

  const wrong = form.errorOf("text");
  const failed = type.error ?? revise.error;
  const failure = form.needsNotice(failed?.error) ? failed : attach.error;
  return (
    <form className={classes.compose} onSubmit={send} aria-label={t("compose")}>
      {failure && failure.code !== "cancelled" && <ErrorNotice error={failure} />}
      {over && (
        <p className={classes.drop} role="status">
          {t("dropNow")}
        </p>
      )}
      {answered && (
        <div className={classes.answering}>
          <Quote message={answered} business={business} />
          <CloseButton size="sm" aria-label={t("dropReply")} onClick={onAnswered} />
        </div>
      )}
      {edited && (
        <div className={classes.answering}>
          <Quote message={edited} business={business} />
          <CloseButton size="sm" aria-label={t("dropEdit")} onClick={endEdit} />
        </div>
      )}
      {numbers.length > 1 && (
        <Select
          size="xs"
          aria-label={t("toNumber")}
          data={numbers.map(({ id, label }) => ({ value: id, label: t("writesTo", { number: label }) }))}
          value={number ?? numbers[0]?.id ?? null}
          onChange={(value) => onNumber(value ?? undefined)}
          allowDeselect={false}
        />
      )}
      <Group align="flex-start" wrap="nowrap" gap="0.375rem">
        <Tooltip label={t("attachHint")}>
          <ActionIcon
            size={36}
            radius="xl"
            loading={attach.isPending}
            aria-label={t("attach")}
            onClick={() => void attachFile(null, true)}
          >
            <IconPaperclip size={18} />
          </ActionIcon>
        </Tooltip>
        <TextInput
          ref={field}
          className={classes.field}
          radius="xl"
          value={text}
          onChange={(event) => form.change({ text: event.currentTarget.value })}
          placeholder={t("type")}
          aria-label={t("type")}
          autoComplete="off"
          error={wrong}
        />
        <SendButton
          label={t(edited ? "saveEdit" : "send")}
          loading={type.isPending || revise.isPending}
          disabled={text.trim() === ""}
        />
      </Group>
    </form>
  );
}

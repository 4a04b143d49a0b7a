import { ActionIcon, CloseButton, Group, Select, TextInput, Tooltip } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { type FormEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneMessage } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { SendButton } from "@/components/send-button";
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
  /** The number the last message was with. */
  lastNumber: string | undefined;
  /** The message that is answered. */
  answered: PhoneMessage | undefined;
  onAnswered: () => void;
}

/** What the phone's owner sends: a text, or a file of this computer. */
export function Compose({ recipient, business, numbers, lastNumber, answered, onAnswered }: ComposeProps) {
  const { t } = useTranslation("sandboxPhone");
  const type = useCommand("type_text");
  const attach = useCommand("send_phone_file");
  const form = useForm({
    initial: { text: "" },
    errors: [type.error?.error],
    fields: ["text"],
    fieldOf: fieldName,
    onChange: type.reset,
  });
  const { text } = form.values;
  const [chosen, setChosen] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const number = chosen ?? lastNumber ?? null;
  useEffect(() => {
    if (answered) field.current?.focus();
  }, [answered]);

  const send = (event: FormEvent) => {
    event.preventDefault();
    const typed = text.trim();
    if (typed === "" || type.isPending) return;
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
  const failure = form.needsNotice(type.error?.error) ? type.error : attach.error;
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
      {numbers.length > 1 && (
        <Select
          size="xs"
          aria-label={t("toNumber")}
          data={numbers.map(({ id, label }) => ({ value: id, label: t("writesTo", { number: label }) }))}
          value={number ?? numbers[0]?.id ?? null}
          onChange={(value) => setChosen(value ?? undefined)}
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
        <SendButton label={t("send")} loading={type.isPending} disabled={text.trim() === ""} />
      </Group>
    </form>
  );
}

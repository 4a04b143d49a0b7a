import { ActionIcon, Button, SegmentedControl, Tooltip } from "@mantine/core";
import { IconChecks, IconPencil } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PhoneMessage, PhoneRow, PhoneScript, SandboxSettings } from "@/bindings/app";
import type { BubbleButton } from "@/bindings/model";
import { ErrorNotice } from "@/components/error-notice";
import { Loading } from "@/components/loading";
import { PhoneFrame } from "@/components/phone/phone-frame";
import { PhoneNumber } from "@/components/phone-number";
import { dayText, isSameDay } from "@/lib/days";
import { useWorkspace } from "@/lib/desk";
import { useCommand } from "@/lib/ipc/mutations";
import { queries } from "@/lib/ipc/queries";
import { Compose } from "./compose";
import { MessageView } from "./message-view";
import { sandboxPhoneQueries } from "./queries";
import classes from "./sandbox-phone.module.css";
import { ScriptNote } from "./script-note";
import { TapNote } from "./tap-note";
import { useStaysAtEnd } from "./use-stays-at-end";

/** So many messages are drawn at first, and so many more at a click. */
const DRAWN = 60;

interface PhoneThreadProps {
  phone: PhoneRow;
  /** What holds for the phone: its own script, else that of every phone. */
  script: PhoneScript | undefined;
  settings: SandboxSettings | undefined;
  onRename: () => void;
}

/** One phone: its messages as their owner sees them, what can be done with them, and what happens to the next. */
export function PhoneThread({ phone, script, settings, onRename }: PhoneThreadProps) {
  const { t } = useTranslation("sandboxPhone");
  const { recipient, name, formatted } = phone;
  const messages = useQuery(sandboxPhoneQueries.phoneMessages(recipient));
  const workspace = useQuery(queries.workspace(useWorkspace().id));
  const { mutate: tap, error: tapError } = useCommand("tap_button");
  const { mutate: revise, error: reviseError } = useCommand("revise_phone_message");
  const read = useCommand("read_phone");
  const choose = useCommand("choose_phone_marketing");
  const [leading, setLeading] = useState<BubbleButton>();
  /** The number that the phone writes to, if another one than that of the last message was chosen. */
  const [chosen, setChosen] = useState<string>();
  const [answered, setAnswered] = useState<PhoneMessage>();
  const [edited, setEdited] = useState<PhoneMessage>();
  const form = settings?.tapForm ?? "interactive";

  const onTap = useCallback(
    (message: PhoneMessage, button: number, card?: number) => {
      const { bubble } = message;
      const tapped = card === undefined ? bubble?.buttons[button] : bubble?.cards[card]?.buttons[button];
      if (!tapped) return;
      // Only quick replies come back; the others lead out of the conversation.
      setLeading(tapped.kind === "QUICK_REPLY" ? undefined : tapped);
      if (tapped.kind === "QUICK_REPLY") tap({ recipient, message: message.id, button, card: card ?? null, form });
    },
    [tap, recipient, form],
  );

  const onReply = (message: PhoneMessage) => {
    setEdited(undefined);
    setAnswered(message);
  };
  const onEdit = (message: PhoneMessage) => {
    setAnswered(undefined);
    setEdited(message);
  };
  const onDelete = useCallback(
    ({ id }: PhoneMessage) => {
      setEdited((now) => (now?.id === id ? undefined : now));
      revise({ recipient, message: id, text: null });
    },
    [revise, recipient],
  );

  const unread = messages.data?.some(({ fromPhone, status }) => !fromPhone && status === "delivered") ?? false;
  const numbers = workspace.data?.settings.numbers ?? [];
  const business = numberName(numbers, messages.data?.at(-1)?.number) ?? t("business");
  const lastNumber = messages.data?.at(-1)?.number;
  const number = chosen ?? lastNumber ?? numbers[0]?.id;
  const isStopped = number !== undefined && phone.marketingStopped.includes(number);
  const error = tapError ?? reviseError ?? read.error ?? choose.error;
  return (
    <>
      <div className={classes.stageHead}>
        <h2>
          <bdi>{name || formatted}</bdi>
          {name && (
            <small>
              <PhoneNumber>{formatted}</PhoneNumber>
            </small>
          )}
        </h2>
        <Tooltip label={t("add.rename")}>
          <ActionIcon size="sm" aria-label={t("add.rename")} onClick={onRename}>
            <IconPencil size={15} />
          </ActionIcon>
        </Tooltip>
        {settings && !settings.autoRead && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconChecks size={15} aria-hidden />}
            disabled={!unread}
            loading={read.isPending}
            onClick={() => read.mutate({ recipient })}
          >
            {t("markRead")}
          </Button>
        )}
        {number !== undefined && (
          <Tooltip label={t("marketing.hint", { business: numberName(numbers, number) ?? number, nest: false })}>
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t(isStopped ? "marketing.resumeFrom" : "marketing.stopFrom", {
                business: numberName(numbers, number) ?? number,
                nest: false,
              })}
              loading={choose.isPending}
              onClick={() => choose.mutate({ recipient, number, isStopped: !isStopped })}
            >
              {t(isStopped ? "marketing.resume" : "marketing.stop")}
            </Button>
          </Tooltip>
        )}
        <ScriptNote script={script} settings={settings} />
      </div>
      {messages.error && <ErrorNotice error={messages.error} onRetry={() => void messages.refetch()} />}
      {error && <ErrorNotice error={error} />}
      <PhoneFrame
        label={t("phoneOf", { recipient })}
        title={business}
        foot={
          <Compose
            recipient={recipient}
            business={business}
            numbers={numbers}
            number={chosen ?? lastNumber ?? null}
            onNumber={setChosen}
            answered={answered}
            onAnswered={() => setAnswered(undefined)}
            edited={edited}
            onEdited={() => setEdited(undefined)}
          />
        }
      >
        {messages.isPending && <Loading rows={2} />}
        {messages.data?.length === 0 && <p className={classes.blank}>{t("blank")}</p>}
        {messages.data && (
          <Messages
            messages={messages.data}
            business={business}
            numbers={numbers}
            onTap={onTap}
            onReply={onReply}
            onEdit={onEdit}
            onDelete={onDelete}
          />
        )}
      </PhoneFrame>
      {leading && <TapNote key={leading.label} button={leading} onClose={() => setLeading(undefined)} />}
      {settings && <TapForm settings={settings} />}
    </>
  );
}

/** What the number is called that a conversation is with; of a new one, the only number there is. */
function numberName(numbers: { id: string; label: string }[], used: string | undefined): string | undefined {
  const found = used === undefined && numbers.length === 1 ? numbers[0] : numbers.find(({ id }) => id === used);
  return found?.label || undefined;
}

interface MessagesProps {
  messages: PhoneMessage[];
  business: string;
  numbers: { id: string; label: string }[];
  onTap: (message: PhoneMessage, button: number, card?: number) => void;
  onReply: (message: PhoneMessage) => void;
  onEdit: (message: PhoneMessage) => void;
  onDelete: (message: PhoneMessage) => void;
}

/** The messages by day; it stays at its end while they come in. */
function Messages({ messages, business, numbers, ...actions }: MessagesProps) {
  const { t, i18n } = useTranslation("sandboxPhone");
  const [drawn, setDrawn] = useState(DRAWN);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const list = useRef<HTMLOListElement>(null);
  useStaysAtEnd(list, messages.at(-1)?.id);

  const first = Math.max(0, messages.length - drawn);
  const several = messages.some(({ number }) => number !== messages[0]?.number);
  return (
    <>
      {first > 0 && (
        <Button fullWidth size="compact-sm" variant="default" mb="sm" onClick={() => setDrawn(drawn + DRAWN)}>
          {t("older")}
        </Button>
      )}
      <ol ref={list} className={classes.messages} aria-label={t("messages")}>
        {messages.slice(first).map((message, index, shown) => {
          const before = shown[index - 1];
          const otherNumber = several && message.number !== before?.number;
          return (
            <Fragment key={message.id}>
              {(before === undefined || !isSameDay(before.at, message.at)) && (
                <li className={classes.day}>
                  <span>{dayText(message.at, i18n.language)}</span>
                </li>
              )}
              <li>
                <MessageView
                  message={message}
                  business={business}
                  quoted={message.replyTo ? byId.get(message.replyTo) : undefined}
                  number={
                    otherNumber ? (numbers.find(({ id }) => id === message.number)?.label ?? message.number) : undefined
                  }
                  {...actions}
                />
              </li>
            </Fragment>
          );
        })}
      </ol>
    </>
  );
}

/** How taps on quick replies come back. It holds for every phone. */
function TapForm({ settings }: { settings: SandboxSettings }) {
  const { t } = useTranslation("sandboxPhone");
  const save = useCommand("save_sandbox_settings");
  return (
    <div className={classes.tapForm}>
      <span id="tap-form">{t("tapForm.label")}</span>
      <SegmentedControl
        size="xs"
        aria-labelledby="tap-form"
        value={save.isPending ? save.variables.tapForm : settings.tapForm}
        onChange={(tapForm) => save.mutate({ ...settings, tapForm: tapForm === "button" ? "button" : "interactive" })}
        data={[
          { value: "button", label: t("tapForm.button") },
          { value: "interactive", label: t("tapForm.interactive") },
        ]}
      />
      {save.error && <ErrorNotice error={save.error} />}
    </div>
  );
}

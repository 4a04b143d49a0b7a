import { ActionIcon, Button, Select, Textarea, Tooltip } from "@mantine/core";
import { IconPhoneOff, IconTemplate } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ServiceWindow, UnansweredMessage } from "@/bindings/app";
import { ErrorNotice } from "@/components/error-notice";
import { Instant } from "@/components/instant";
import { isNearLimit, LengthCounter, lengthOf } from "@/components/length-counter";
import { SendButton } from "@/components/send-button";
import { useProblemText } from "@/components/send-problem-text";
import { SendingNotices } from "@/components/sending-notices";
import styles from "@/components/styles.module.css";
import { explicitNumber } from "@/lib/explicit-number";
import { queries } from "@/lib/ipc/queries";
import { useNumberName } from "@/lib/number-names";
import { otherNameIn } from "./other-name";
import classes from "./reply-box.module.css";
import { MissingFields, SavedRepliesButton, SavedRepliesList } from "./saved-replies";
import type { useReply } from "./use-reply";
import { useSavedReplies } from "./use-saved-replies";
import { useIsOpen, WindowNote } from "./window-note";

interface ReplyBoxProps {
  workspace: string;
  contact: string;
  name: string;
  /** Until when a free text may be sent; absent if the contact cannot be replied to. */
  window: ServiceWindow | undefined;
  reply: ReturnType<typeof useReply>;
  /** Identifier of our number, and what chooses another. */
  number: string;
  onNumber: (number: string) => void;
  /** The number that the person has written to last. */
  wroteTo: string;
  /** What waits for an answer, by number. */
  unanswered: readonly UnansweredMessage[];
}

/** Below the conversation: a text while the reply window is open, else the way to a template. */
export function ReplyBox({ window, ...props }: ReplyBoxProps) {
  const { t } = useTranslation(["inbox", "settings"]);
  if (window) return <OpenReplyBox window={window} {...props} />;
  return (
    <section className={classes.box} aria-label={t("reply.label")}>
      <div className={classes.head}>
        <p className={classes.note}>
          <IconPhoneOff size={18} stroke={1.7} aria-hidden />
          <span>{t("window.numberHidden", { setting: t("field.takesUserIds", { ns: "settings" }) })}</span>
        </p>
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(link) => (
            <Link to="/settings" search={{ section: "workspace", workspace: props.workspace }} {...link} />
          )}
        >
          {t("window.toSettings")}
        </Button>
      </div>
    </section>
  );
}

function OpenReplyBox(props: ReplyBoxProps & { window: ServiceWindow }) {
  const { workspace, contact, name, window, reply, number, onNumber, wroteTo, unanswered } = props;
  const { t } = useTranslation("inbox");
  const open = useIsOpen(window);
  const field = useRef<HTMLTextAreaElement>(null);
  const answerFrom = (other: string) => {
    onNumber(other);
    // The button leaves with its sentence, and what is typed next is the answer.
    field.current?.focus();
  };
  const elsewhere = unanswered.flatMap(({ number: other, at }) =>
    other == null || other === number ? [] : { number: other, at },
  );
  const template = (
    <Button
      variant={open ? "default" : "filled"}
      leftSection={<IconTemplate size={16} stroke={1.7} aria-hidden />}
      renderRoot={(props) => <TemplateLink contact={contact} number={number} {...props} />}
    >
      {t("window.template")}
    </Button>
  );
  return (
    <section className={classes.box} aria-label={t("reply.label")} data-open={open || undefined}>
      <div className={classes.head}>
        <WindowNote window={window} />
        <FromNumber workspace={workspace} number={number} onNumber={onNumber} />
        {!open && template}
      </div>
      {elsewhere.map(({ number: other, at }) => (
        <OtherNumber key={other} number={other} unansweredSince={at} onNumber={answerFrom} />
      ))}
      {wroteTo !== number && !elsewhere.some((one) => one.number === wroteTo) && (
        <OtherNumber number={wroteTo} onNumber={answerFrom} />
      )}
      <SendingNotices workspace={workspace} number={number} isReply={open} />
      {open && <ReplyForm {...{ workspace, contact, name, reply, number, field }} />}
    </section>
  );
}

/** Leads to the templates that our number can send to the contact. */
function TemplateLink({ contact, number, ...props }: Pick<ReplyBoxProps, "contact" | "number">) {
  const answered = number === "" ? {} : { number };
  return <Link to="/sends/new" search={{ to: explicitNumber(contact), ...answered }} {...props} />;
}

/** Which of our numbers replies, where there are several. */
function FromNumber({ workspace, number, onNumber }: Pick<ReplyBoxProps, "workspace" | "number" | "onNumber">) {
  const { t } = useTranslation("inbox");
  const numbers = useQuery(queries.workspace(workspace)).data?.settings.numbers ?? [];
  if (numbers.length < 2) return null;
  return (
    <Select
      size="xs"
      className={classes.number}
      aria-label={t("reply.from")}
      allowDeselect={false}
      value={number}
      onChange={(value) => value !== null && onNumber(value)}
      data={numbers.map(({ id, label }) => ({ value: id, label: t("reply.fromNumber", { number: label || id }) }))}
    />
  );
}

interface OtherNumberProps extends Pick<ReplyBoxProps, "onNumber"> {
  number: string;
  /** When the message arrived that waits there for an answer. */
  unansweredSince?: number;
}

/** Says that another of our numbers has a message without an answer, or that the person has written there since. */
function OtherNumber({ number, unansweredSince, onNumber }: OtherNumberProps) {
  const { t } = useTranslation("inbox");
  const name = useNumberName()(number) ?? number;
  return (
    <p className={classes.other} role="status">
      {unansweredSince === undefined ? (
        t("reply.wroteTo", { number: name, nest: false })
      ) : (
        <>
          {t("reply.unanswered", { number: name, nest: false })} <Instant at={unansweredSince} format="brief" />.
        </>
      )}{" "}
      <Button size="compact-sm" variant="subtle" onClick={() => onNumber(number)}>
        {t("reply.answerFrom", { number: name, nest: false })}
      </Button>
    </p>
  );
}

/** Says that the text has the name of another number of ours, such as that of a saved reply from before the number changed. */
function OtherName({ workspace, number, text }: Pick<ReplyBoxProps, "workspace" | "number"> & { text: string }) {
  const { t } = useTranslation("inbox");
  const numbers = useQuery(queries.workspace(workspace)).data?.settings.numbers ?? [];
  const own = numbers.find(({ id }) => id === number)?.label || number;
  const other = otherNameIn(
    text,
    own,
    numbers.map(({ label }) => label),
  );
  if (other === undefined) return null;
  return (
    <p className={classes.other} role="status">
      {t("reply.namesOther", { other, own, nest: false })}
    </p>
  );
}

interface ReplyFormProps extends Pick<ReplyBoxProps, "workspace" | "contact" | "name" | "reply" | "number"> {
  field: RefObject<HTMLTextAreaElement | null>;
}

function ReplyForm({ workspace, contact, name, reply, number, field }: ReplyFormProps) {
  const { t } = useTranslation("inbox");
  const { text, limit, change, submit, problems, failure, checking } = reply;
  const length = limit === undefined ? undefined : { used: lengthOf(text.trim()), limit };
  const problemText = useProblemText();
  // WebKit puts the cursor before a draft, and what is typed next would be in front of it.
  useLayoutEffect(
    () => field.current?.setSelectionRange(field.current.value.length, field.current.value.length),
    [field],
  );
  const saved = useSavedReplies({ workspace, contact, number }, { text, change, field });
  const onlyWarnings = problems.length > 0 && problems.every(({ severity }) => severity !== "error");
  const send = (overrides?: string[]) => {
    void submit(overrides);
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The list closes, not the conversation.
    if (event.key === "Escape" && saved.opened) return event.preventDefault();
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    const [first] = saved.found;
    if (!saved.opened || !first) return send();
    // Until the list has an option that is chosen by keys, it is the first one.
    if (saved.store.getSelectedOptionIndex() === -1) void saved.choose(first.id);
  };
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {failure && <ErrorNotice error={failure} />}
      {problems.length > 0 && (
        <div className={classes.problems} role="alert">
          {problems.map((problem) => (
            <p key={problem.code} data-severity={problem.severity}>
              {problemText(problem)}
            </p>
          ))}
          {onlyWarnings && (
            <Button size="compact-sm" variant="default" onClick={() => send(problems.map(({ code }) => code))}>
              {t("reply.sendAnyway")}
            </Button>
          )}
        </div>
      )}
      <MissingFields saved={saved} />
      <OtherName workspace={workspace} number={number} text={text} />
      <div className={classes.line}>
        <Tooltip label={t("window.template")}>
          <ActionIcon
            size={36}
            radius="xl"
            aria-label={t("window.template")}
            renderRoot={(props) => <TemplateLink contact={contact} number={number} {...props} />}
          >
            <IconTemplate size={20} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
        <SavedRepliesButton saved={saved} />
        <SavedRepliesList saved={saved}>
          <Textarea
            ref={field}
            className={styles.grow}
            classNames={{ input: classes.field }}
            autosize
            minRows={1}
            maxRows={8}
            data-autofocus
            autoFocus
            aria-label={t("reply.text", { name })}
            placeholder={t(saved.hasReplies ? "reply.placeholderSaved" : "reply.placeholder")}
            error={length !== undefined && length.used > length.limit}
            description={length && isNearLimit(length) ? <LengthCounter {...length} /> : undefined}
            inputWrapperOrder={["input", "description"]}
            value={text}
            onChange={(event) => {
              change(event.currentTarget.value);
              saved.follow(event.currentTarget);
            }}
            onSelect={(event) => saved.follow(event.currentTarget)}
            onKeyDown={onKeyDown}
          />
        </SavedRepliesList>
        <Tooltip label={t("reply.sendKey")}>
          <SendButton label={t("reply.send")} loading={checking} disabled={text.trim() === ""} />
        </Tooltip>
      </div>
      <p className={classes.other}>{t("reply.textOnly")}</p>
    </form>
  );
}

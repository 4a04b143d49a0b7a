import { Switch, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { SendingNumber, SendText } from "@/bindings/app";
import { lengthOf } from "@/components/length-counter";
import { notedInput } from "@/components/problem-notes";
import { useCommand } from "@/lib/ipc/mutations";
import { NoNumbers } from "./general-problems";
import { firstAsked } from "./parts";
import { personName, usePeople } from "./people";
import { shownProblems, useFieldName } from "./problems";
import { sendsQueries } from "./queries";
import { EMPTY_TEXT_FORM, type TextFormState, textForms, textKey, useStoredFormState } from "./send-form-state";
import { SendFrame, useAdvanced, useAttention } from "./send-frame";
import classes from "./sends.module.css";
import { ServiceWindowNote } from "./service-window-note";
import { useFieldFocus } from "./use-field-focus";
import { useAnsweredPerson, useAnsweringNumber, usePresetRecipient } from "./use-preset-recipient";
import { useRefusal, useSending } from "./use-sending";
import { WhoFields } from "./who-fields";

interface TextComposerProps {
  workspace: string;
  sandbox: boolean;
  numbers: readonly SendingNumber[];
}

/** A free text: only to people who wrote within the last 24 hours. */
export function TextComposer({ workspace, sandbox, numbers }: TextComposerProps) {
  const { t } = useTranslation("sends");
  const client = useQueryClient();
  const person = useAnsweredPerson();
  const from = useAnsweringNumber(numbers);
  const { typed, change, startEmpty, address, sent, repetition, restored } = useStoredFormState<TextFormState>(
    textForms,
    textKey(workspace, person),
    { initial: () => ({ ...EMPTY_TEXT_FORM, to: person ?? "", number: from ?? numbers[0]?.id ?? "" }) },
  );
  usePresetRecipient(numbers, address);
  const people = usePeople(workspace, sandbox);
  const { attention, attend, tryNow, forget } = useAttention();
  const [advanced, setAdvanced] = useAdvanced(typed);
  const send = useCommand("send_text");
  const fieldName = useFieldName();

  const request = useMemo<SendText>(() => ({ workspace, ...typed, overrides: [] }), [workspace, typed]);
  const [debounced] = useDebouncedValue(request, 100);
  const preview = useQuery(sendsQueries.textPreview(debounced));
  const window = useQuery({
    ...sendsQueries.serviceWindow(workspace, debounced.to.trim(), debounced.number, debounced.country),
    enabled: debounced.to.trim() !== "",
  });

  const problems = preview.data?.problems ?? [];
  const limit = preview.data?.textLimit;
  const shown = shownProblems(problems, attention);
  const { frame, focus } = useFieldFocus((field) => {
    if (field === "callbackData") setAdvanced(true);
  });
  const sending = useSending({
    check: async () => {
      tryNow();
      // What is shown may be a moment older than what is typed.
      return (await client.fetchQuery({ ...sendsQueries.textPreview(request), staleTime: 0 })).problems;
    },
    send: (overrides) => send.mutateAsync({ ...request, overrides }),
    onSent: sent,
    onErrors: (errors) =>
      focus(
        firstAsked(
          errors.map(({ field }) => field),
          [],
        ),
      ),
  });
  const { errorOf, answered } = useRefusal(sending);
  const edit = (part: Partial<TextFormState>) => {
    change(part);
    answered();
  };

  return (
    <SendFrame
      frame={frame}
      head={numbers.length === 0 && <NoNumbers workspace={workspace} />}
      repetition={repetition}
      restored={
        restored && {
          name: personName(people, restored.to),
          onStartEmpty: () => {
            startEmpty();
            answered();
            forget();
          },
        }
      }
      callback={{
        value: typed,
        onChange: edit,
        opened: advanced,
        onOpen: setAdvanced,
        onBlur: () => attend("callbackData"),
      }}
      preview={preview}
      number={typed.number}
      problems={problems}
      shown={shown}
      errorOf={errorOf}
      sending={sending}
      tried={attention.tried}
      sandbox={sandbox}
      blocked={numbers.length === 0}
      nameOf={fieldName}
    >
      <WhoFields
        workspace={workspace}
        sandbox={sandbox}
        typed={typed}
        onChange={edit}
        onLeave={attend}
        numbers={numbers}
        problems={shown}
        errorOf={errorOf}
        known={debounced.to === typed.to && !preview.isPlaceholderData ? preview.data?.recipient : undefined}
      />
      <ServiceWindowNote window={typed.to.trim() === "" ? undefined : window.data} />
      <fieldset className={classes.section}>
        <legend>{t("text.title")}</legend>
        <div className={classes.parts}>
          <Textarea
            label={t("text.label")}
            withAsterisk
            required
            autosize
            minRows={4}
            maxRows={16}
            data-field="text"
            value={typed.text}
            onChange={(event) => edit({ text: event.currentTarget.value })}
            onBlur={() => attend("text")}
            {...notedInput({
              problems: shown.get("text") ?? [],
              error: errorOf("text"),
              counter: limit == null ? undefined : { used: lengthOf(typed.text), limit },
              children: <span>{t("text.hint")}</span>,
            })}
          />
          <Switch
            label={t("text.previewUrl")}
            description={t("text.previewUrlHint")}
            checked={typed.previewUrl}
            onChange={(event) => edit({ previewUrl: event.currentTarget.checked })}
          />
        </div>
      </fieldset>
    </SendFrame>
  );
}

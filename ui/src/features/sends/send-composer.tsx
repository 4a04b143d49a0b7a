import { Button, Group } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconCopy, IconEraser, IconWand } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SendForm, SendRequest } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { useCommand } from "@/lib/ipc/mutations";
import { CardFields } from "./card-fields";
import { GeneralProblems } from "./general-problems";
import { PartFields, PartRow, usePartLabel } from "./part-fields";
import {
  cardsApart,
  firstAsked,
  groupParts,
  isSeldomUsed,
  ownMedia,
  withEarlier,
  withoutCodes,
  withSamples,
} from "./parts";
import { personName, usePeople } from "./people";
import { errorsOf, shownProblems, useFieldName, withPreflight } from "./problems";
import { sendsQueries } from "./queries";
import {
  EMPTY_SEND_FORM,
  isAddressOf,
  lastSentOf,
  rememberSent,
  type SendFormState,
  sendForms,
  sendKey,
  useStoredFormState,
} from "./send-form-state";
import { SendFrame, useAdvanced, useAttention } from "./send-frame";
import shared from "./sends.module.css";
import { useFieldFocus } from "./use-field-focus";
import { useAnsweredPerson, useAnsweringNumber, usePresetRecipient } from "./use-preset-recipient";
import { useRefusal, useSending } from "./use-sending";
import { useStable } from "./use-stable";
import { WhoFields } from "./who-fields";

interface SendComposerProps {
  workspace: string;
  sandbox: boolean;
  reference: string;
  form: SendForm;
}

/** The form of a send beside the phone and the request that it makes. */
export function SendComposer({ workspace, sandbox, reference, form }: SendComposerProps) {
  const { t } = useTranslation("sends");
  const client = useQueryClient();
  const person = useAnsweredPerson();
  const from = useAnsweringNumber(form.numbers);
  const {
    typed: stored,
    change,
    beginWith,
    startEmpty,
    address,
    sent,
    repetition,
    restored,
  } = useStoredFormState<SendFormState>(sendForms, sendKey(workspace, reference, person), {
    initial: () => ({ ...EMPTY_SEND_FORM, to: person ?? "", number: from ?? form.number }),
    storable: (typed) => ({ ...typed, values: withoutCodes(form.parts, typed.values) }),
  });
  const typed = useMemo(
    () => ({ ...stored, values: { ...ownMedia(form.parts), ...stored.values } }),
    [stored, form.parts],
  );
  usePresetRecipient(form.numbers, address);
  const { attention, attend, tryNow, forget } = useAttention();
  const seldom = form.parts.filter(isSeldomUsed);
  const [advanced, setAdvanced] = useAdvanced(
    stored,
    seldom.some(({ id }) => stored.values[id]),
  );
  const [openCards, setOpenCards] = useState<string[]>(["0"]);
  const [card, setCard] = useState<number>();
  const send = useCommand("send_template");

  const request = useMemo<SendRequest>(
    () => ({ workspace, reference, ...typed, answers: isAddressOf(person, typed.to), overrides: [] }),
    [workspace, reference, typed, person],
  );
  const [debounced] = useDebouncedValue(request, 100);
  const preview = useQuery(sendsQueries.sendPreview(debounced));

  // Links and numbers are looked up when they were filled in, not with every key.
  const [checked, setChecked] = useState(() => (isWorthChecking(request, form) ? request : undefined));
  const preflight = useQuery({ ...sendsQueries.preflight(checked ?? request), enabled: checked !== undefined });
  const lookUp = (now: SendRequest) => {
    if (isWorthChecking(now, form)) setChecked(now);
  };

  // While a new lookup runs, the previous result is about another recipient.
  const found = preflight.isPlaceholderData ? undefined : preflight.data;
  const problems = withPreflight(preview.data?.problems ?? NO_PROBLEMS, found, checked, typed);
  const shown = shownProblems(problems, attention);
  const { own, cards } = cardsApart(groupParts(form.parts.filter((part) => !isSeldomUsed(part))));

  const { frame, focus } = useFieldFocus((field) => {
    if (field === "callbackData" || seldom.some(({ id }) => id === field)) setAdvanced(true);
    const index = form.parts.find(({ id }) => id === field)?.card;
    if (index != null) {
      setOpenCards((before) => [...new Set([...before, String(index)])]);
      setCard(index);
    }
  });

  const sending = useSending({
    check: async () => {
      tryNow();
      setChecked(request);
      return (await client.fetchQuery({ ...sendsQueries.preflight(request), staleTime: 0 })).problems;
    },
    send: (overrides) => send.mutateAsync({ ...request, overrides }),
    onSent: () => {
      sent();
      rememberSent(workspace, reference, { to: typed.to, values: withoutCodes(form.parts, typed.values) });
    },
    onErrors: (errors) =>
      focus(
        firstAsked(
          errors.map(({ field }) => field),
          form.parts,
        ),
      ),
  });
  const { errorOf, answered } = useRefusal(sending);
  const edit = (part: Partial<SendFormState>) => {
    change(part);
    answered();
  };
  const leave = (field: string) => {
    attend(field);
    if (field === "to" || form.parts.some(({ id, kind }) => id === field && kind === "link")) {
      if (filledIn(request, field) !== (checked && filledIn(checked, field))) lookUp(request);
    }
  };
  // Stable functions, so that unchanged fields are not rendered again.
  const leaveNow = useStable(leave);
  const onLeave = useCallback((field: string) => () => leaveNow(field), [leaveNow]);
  const onChange = useStable((id: string, value: string) => edit({ values: { ...stored.values, [id]: value } }));

  const people = usePeople(workspace, sandbox);
  const known = debounced.to === typed.to && !preview.isPlaceholderData ? preview.data?.recipient : undefined;
  const fillWith = (fill: (firstName?: string) => Record<string, string>) => {
    const to = known?.digits ?? typed.to.trim();
    const recipient = people.flatMap((group) => group.people).find(({ number }) => number === to);
    const values = fill(recipient?.name.trim().split(/\s+/)[0]);
    edit({ values });
    lookUp({ ...request, values });
  };
  const [earlier] = useState(() => lastSentOf(workspace, reference));
  const begin = (next: () => void) => {
    next();
    answered();
    forget();
  };
  const isFilled = Object.values(stored.values).some((value) => value !== "");

  const partLabel = usePartLabel();
  const fieldName = useFieldName();
  const nameOf = (field: string) => {
    const part = form.parts.find(({ id }) => id === field);
    if (part) {
      const label = partLabel(part, part.kind === "number");
      return part.card == null ? label : `${t("form.cardName", { place: part.card + 1 })} · ${label}`;
    }
    return fieldName(field);
  };
  const links = {
    checks: preflight.data?.media ?? [],
    checking: preflight.isFetching,
    check: () => (checked === request ? void preflight.refetch() : setChecked(request)),
  };
  const bubble = preview.data?.bubble;
  const groupProps = { values: typed.values, problems: shown, errorOf, bubble, links, onLeave, onChange };
  return (
    <SendFrame
      frame={frame}
      head={<GeneralProblems workspace={workspace} reference={reference} form={form} problems={problems} />}
      repetition={repetition}
      restored={restored && { name: personName(people, restored.to), onStartEmpty: () => begin(startEmpty) }}
      callback={{
        value: typed,
        onChange: edit,
        opened: advanced,
        onOpen: setAdvanced,
        onBlur: () => leave("callbackData"),
        children: seldom.map((part) => (
          <PartRow
            key={part.id}
            part={part}
            label={nameOf(part.id)}
            isLocation={false}
            value={typed.values[part.id] ?? ""}
            problems={shown.get(part.id) ?? NO_PROBLEMS}
            error={errorOf(part.id)}
            onLeave={onLeave}
            onChange={onChange}
          />
        )),
      }}
      preview={preview}
      checks={links.checks}
      values={typed.values}
      number={typed.number}
      card={card}
      problems={problems}
      shown={shown}
      errorOf={errorOf}
      sending={sending}
      tried={attention.tried}
      sandbox={sandbox}
      cost={checked?.to === typed.to ? (found?.cost ?? undefined) : undefined}
      blocked={form.blocked != null || form.numbers.length === 0}
      nameOf={nameOf}
    >
      <WhoFields
        workspace={workspace}
        sandbox={sandbox}
        typed={typed}
        onChange={edit}
        onLeave={leave}
        numbers={form.numbers}
        problems={shown}
        errorOf={errorOf}
        known={known}
      />
      {own.length + cards.length > 0 ? (
        <Group gap="0.5rem">
          <Button
            variant="light"
            leftSection={<IconWand size={15} aria-hidden />}
            onClick={() => fillWith((name) => withSamples(form.parts, typed.values, name))}
          >
            {t("form.fill")}
          </Button>
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconEraser size={15} aria-hidden />}
            disabled={!isFilled}
            onClick={() => begin(() => beginWith({ ...stored, values: {} }))}
          >
            {t("form.clear")}
          </Button>
          {earlier && (
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconCopy size={15} aria-hidden />}
              onClick={() => fillWith((name) => withEarlier(form.parts, stored.values, earlier.values, name))}
            >
              {t("form.takeOver", { name: personName(people, earlier.to), nest: false })}
            </Button>
          )}
        </Group>
      ) : (
        <p className={shared.stepText}>{t("form.nothingToFill")}</p>
      )}
      {own.map((group) => (
        <PartFields key={group.key} group={group} {...groupProps} />
      ))}
      {cards.length > 0 && (
        <CardFields
          cards={cards}
          opened={openCards}
          onOpen={setOpenCards}
          onCard={setCard}
          errors={errorsOf(problems)}
          loud={attention.tried}
        >
          {(group) => <PartFields group={group} {...groupProps} />}
        </CardFields>
      )}
    </SendFrame>
  );
}

const NO_PROBLEMS: readonly SendProblem[] = [];

const filledIn = (request: SendRequest, field: string) => (field === "to" ? request.to : (request.values[field] ?? ""));

/** Whether there is a number or a link to be looked up. */
function isWorthChecking(request: SendRequest, { parts }: SendForm): boolean {
  return request.to.trim() !== "" || parts.some(({ id, kind }) => kind === "link" && request.values[id]);
}

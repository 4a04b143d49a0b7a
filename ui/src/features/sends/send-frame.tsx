import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, type Ref, useState } from "react";
import type { MediaCheck, SendPreview as Preview } from "@/bindings/app";
import type { Cost, SendProblem } from "@/bindings/model";
import { SplitView } from "@/components/split-view";
import { useNumberName } from "@/lib/number-names";
import { CallbackFields } from "./callback-fields";
import { type Attention, errorsOf } from "./problems";
import { Replaced, Restored } from "./replaced";
import { SendBar } from "./send-bar";
import type { CallbackFormState } from "./send-form-state";
import { SendPreview } from "./send-preview";
import classes from "./sends.module.css";
import { type Sending, WarningsDialog } from "./use-sending";

/**
 * Which fields the person has been in. A problem is shown once its field was left or a send was tried: a form that
 * scolds before it is read helps nobody.
 */
export function useAttention() {
  const [attention, setAttention] = useState<Attention>({ left: new Set(), tried: false });
  const attend = (field: string) =>
    setAttention((before) => (before.left.has(field) ? before : { ...before, left: new Set(before.left).add(field) }));
  const tryNow = () => setAttention((before) => ({ ...before, tried: true }));
  const forget = () => setAttention({ left: new Set(), tried: false });
  return { attention, attend, tryNow, forget };
}

/** Whether the advanced fields are unfolded: from the beginning where they hold something. */
export function useAdvanced({ callbackData, track, exactCallback }: CallbackFormState, holdsMore = false) {
  return useState(callbackData !== "" || !track || exactCallback || holdsMore);
}

interface SendFrameProps {
  /** Around the fields, so that the focus can be led. */
  frame: Ref<HTMLDivElement>;
  /** Above the fields. */
  head: ReactNode;
  /** The fields but those of the callback data. */
  children: ReactNode;
  /** A repetition that took the place of what was typed. */
  repetition: { replaced: boolean; bringBack: () => void; keepThis: () => void };
  /** What was typed earlier and not sent, if the form began with it. */
  restored?: Parameters<typeof Restored>[0] | undefined;
  callback: Omit<Parameters<typeof CallbackFields>[0], "problems" | "error" | "sent">;
  preview: UseQueryResult<Preview>;
  /** What is known of the files behind links. */
  checks?: readonly MediaCheck[] | undefined;
  /** What is filled in, by part. */
  values?: Readonly<Record<string, string>> | undefined;
  /** Sending number. */
  number: string;
  /** The card that is being filled. */
  card?: number | undefined;
  problems: readonly SendProblem[];
  shown: ReadonlyMap<string, readonly SendProblem[]>;
  errorOf: (field: string) => string | undefined;
  sending: Sending;
  tried: boolean;
  sandbox: boolean;
  /** Whether nothing can be sent whatever is typed. */
  blocked: boolean;
  /** What the message costs, where that is known. */
  cost?: Cost | undefined;
  nameOf: (field: string) => string;
}

/** What every form of a send is made of: the fields, the phone beside them, and the way out below. */
export function SendFrame(props: SendFrameProps) {
  const { frame, head, children, repetition, restored, callback, preview, problems, shown, errorOf } = props;
  const { sending, tried, sandbox, blocked, cost, nameOf, checks, values, number, card } = props;
  const numberName = useNumberName();
  return (
    <>
      <SplitView
        panel={
          <SendPreview preview={preview} checks={checks} values={values} sender={numberName(number)} card={card} />
        }
        panelWidth="large"
      >
        <div className={classes.form}>
          <div className={classes.fields} ref={frame}>
            {head}
            {restored && <Restored {...restored} />}
            {repetition.replaced && <Replaced onBringBack={repetition.bringBack} onKeep={repetition.keepThis} />}
            {children}
            <CallbackFields
              {...callback}
              problems={shown.get("callbackData") ?? []}
              error={errorOf("callbackData")}
              sent={preview.data?.callback}
            />
          </div>
        </div>
      </SplitView>
      <SendBar
        sending={sending}
        sandbox={sandbox}
        missing={tried ? new Set(errorsOf(problems).map(({ field }) => field)).size : 0}
        blocked={blocked}
        cost={cost}
      />
      <WarningsDialog sending={sending} nameOf={nameOf} />
    </>
  );
}

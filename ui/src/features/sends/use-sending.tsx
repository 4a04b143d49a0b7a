// How a send leaves: it is checked whole, errors lead to their field, warnings are asked about, and then it goes, once.

import { Button, Group, Modal } from "@mantine/core";
import { IconSend } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { SendRow } from "@/bindings/app";
import type { SendProblem } from "@/bindings/model";
import { ProblemNotes } from "@/components/problem-notes";
import { useWordedError } from "@/components/use-worded-error";
import { type DeskFailure, toFailure } from "@/lib/ipc/errors";
import classes from "./fields.module.css";
import { errorsOf, warningCodes } from "./problems";

interface Sends {
  /** Runs the check again and returns every problem. */
  check: () => Promise<readonly SendProblem[]>;
  /** Sends despite these warnings. */
  send: (overrides: string[]) => Promise<SendRow>;
  onSent: () => void;
  /** Leads to what must be corrected. */
  onErrors: (problems: readonly SendProblem[]) => void;
}

export interface Sending {
  state: "idle" | "checking" | "sending";
  /** Warnings that wait for an answer. */
  warnings: readonly SendProblem[];
  failure: DeskFailure | undefined;
  submit: () => Promise<void>;
  sendAnyway: () => Promise<void>;
  /** Leaves the warnings, or what went wrong, to correct something. */
  dismiss: () => void;
}

const NONE: readonly SendProblem[] = [];

export function useSending({ check, send, onSent, onErrors }: Sends): Sending {
  const navigate = useNavigate();
  const [state, setState] = useState<Sending["state"]>("idle");
  const [warnings, setWarnings] = useState(NONE);
  const [failure, setFailure] = useState<DeskFailure>();

  const go = async (overrides: string[]) => {
    setState("sending");
    const { id } = await send(overrides);
    onSent();
    setWarnings(NONE);
    // In place of the form: the way back leads to where the form was opened.
    void navigate({ to: "/sends/$send", params: { send: id }, replace: true });
  };
  const run = async (step: () => Promise<void>) => {
    if (state !== "idle") return;
    setFailure(undefined);
    try {
      await step();
    } catch (reason) {
      setWarnings(NONE);
      setFailure(toFailure(reason));
    } finally {
      setState("idle");
    }
  };
  return {
    state,
    warnings,
    failure,
    submit: () =>
      run(async () => {
        setState("checking");
        const problems = await check();
        const errors = errorsOf(problems);
        if (errors.length > 0) onErrors(errors);
        else if (problems.length > 0) setWarnings(problems);
        else await go([]);
      }),
    sendAnyway: () => run(() => go(warningCodes(warnings))),
    dismiss: () => {
      setWarnings(NONE);
      setFailure(undefined);
    },
  };
}

/** A refusal of one value: in which words at which field. It is answered by changing anything; others stay to be read. */
export function useRefusal({ failure, dismiss }: Sending) {
  const worded = useWordedError();
  const refused = failure?.error.code === "invalidInput" ? worded(failure.error) : undefined;
  return {
    errorOf: (field: string) => (refused?.field === field ? refused.message : undefined),
    answered: () => {
      if (refused) dismiss();
    },
  };
}

interface WarningsDialogProps {
  sending: Sending;
  /** What the person calls the field of a problem. */
  nameOf: (field: string) => string;
}

/** Warnings before a send: it goes only when the person says so. */
export function WarningsDialog({ sending, nameOf }: WarningsDialogProps) {
  const { t } = useTranslation("sends");
  const { warnings, state } = sending;
  const fields = [...new Set(warnings.map(({ field }) => field))];
  return (
    <Modal opened={warnings.length > 0} onClose={sending.dismiss} title={t("warnings.title")} size="lg">
      <p className={classes.dialogText}>{t("warnings.text")}</p>
      <ul className={classes.warnings} aria-label={t("warnings.list")}>
        {fields.map((field) => (
          <li key={field}>
            {nameOf(field) !== "" && <strong>{nameOf(field)}</strong>}
            <ProblemNotes problems={warnings.filter((problem) => problem.field === field)} />
          </li>
        ))}
      </ul>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={sending.dismiss} data-autofocus>
          {t("warnings.back")}
        </Button>
        <Button
          leftSection={<IconSend size={16} aria-hidden />}
          loading={state === "sending"}
          onClick={() => void sending.sendAnyway()}
        >
          {t("warnings.send")}
        </Button>
      </Group>
    </Modal>
  );
}

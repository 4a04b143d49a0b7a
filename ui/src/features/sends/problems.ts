// Problems of a send: which ones are shown where and when, and in which words.

import { useTranslation } from "react-i18next";
import type { Preflight, SendRequest } from "@/bindings/app";
import type { SendProblem, SendProblemCode } from "@/bindings/model";

/** What is plainly wrong while it is being typed. The rest may be unfinished, and waits until the field is left. */
const EARLY = new Set<SendProblemCode>([
  "number.account",
  "number.unknown",
  "number.accountStatus",
  "value.newline",
  "value.tab",
  "value.spaces",
  "value.tooLong",
  "value.filledTooLong",
  "value.addressTooLong",
  "value.urlEncoding",
  "value.codeTooLong",
  "value.codeCharacters",
  "value.payloadTooLong",
  "value.footer",
  "text.tooLong",
  "text.windowClosed",
  // Of whole numbers only.
  "to.optedOut",
  "to.own",
  "to.recentMarketing",
  "to.userId",
  "to.userIdAuthentication",
  "callback.tooLong",
]);

/** Fields the person has been in, and whether a send was tried. */
export interface Attention {
  left: ReadonlySet<string>;
  tried: boolean;
}

/** The problems to be shown, by their fields, errors first. */
export function shownProblems(
  problems: readonly SendProblem[],
  { left, tried }: Attention,
): Map<string, SendProblem[]> {
  const shown = new Map<string, SendProblem[]>();
  const due = problems.filter(({ field, code }) => tried || left.has(field) || EARLY.has(code));
  for (const problem of [...due].sort((a, b) => weight(a) - weight(b))) {
    const here = shown.get(problem.field);
    if (here) here.push(problem);
    else shown.set(problem.field, [problem]);
  }
  return shown;
}

const weight = ({ severity }: SendProblem) => (severity === "error" ? 0 : 1);

export const errorsOf = (problems: readonly SendProblem[]) => problems.filter(({ severity }) => severity === "error");

/** The codes of warnings, each once. */
export function warningCodes(problems: readonly SendProblem[]): string[] {
  return [...new Set(problems.filter(({ severity }) => severity === "warning").map(({ code }) => code))];
}

type Typed = Pick<SendRequest, "values">;

/**
 * What the rules say about what is typed now, with what an earlier preflight found and still holds: a finding about a
 * field ends when the field changes.
 */
export function withPreflight(
  live: readonly SendProblem[],
  preflight: Preflight | undefined,
  checked: Typed | undefined,
  typed: Typed,
): readonly SendProblem[] {
  if (!preflight || !checked) return live;
  const same = (field: string) => (checked.values[field] ?? "") === (typed.values[field] ?? "");
  const known = new Set(live.map(({ field, code }) => `${field} ${code}`));
  const added = preflight.problems.filter(
    ({ field, code }) => BY_PREFLIGHT.test(code) && same(field) && !known.has(`${field} ${code}`),
  );
  return added.length === 0 ? live : [...live, ...added];
}

/** Problems that the preflight finds because it fetches; they stay at their fields. Others are found with each key, or asked about before the send. */
const BY_PREFLIGHT = /^media\./;

const FIELDS = ["to", "number", "callbackData", "text", "template"] as const;

/** What the person calls a field that is no part of the message; nothing where a problem is about none. */
export function useFieldName(): (field: string) => string {
  const { t } = useTranslation("sends");
  return (field) => {
    const known = FIELDS.find((name) => name === field);
    return known ? t(`field.${known}`) : "";
  };
}

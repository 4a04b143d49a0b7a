// What happens to the next messages of a phone, as it is chosen in the form and said in words.

import { useTranslation } from "react-i18next";
import type { PhoneScript } from "@/bindings/app";

export type Course = PhoneScript["next"];
export const COURSES: readonly Course[] = ["deliver", "slow", "fail", "duplicate", "reorder", "stop"];

/** In place of a recipient: every phone. */
export const EVERY_PHONE = "*";

export const DEFAULTS = { ms: 10_000, times: 2, count: 1 } as const;

/** A script without the values that its course does not use. */
export function scriptOf(script: PhoneScript): PhoneScript {
  const { next, ms, code, times, count } = script;
  return {
    next,
    ms: next === "slow" ? (ms ?? DEFAULTS.ms) : null,
    code: next === "fail" ? (code ?? null) : null,
    times: next === "duplicate" ? (times ?? DEFAULTS.times) : null,
    count: next === "deliver" ? null : (count ?? null),
  };
}

/** Whether messages arrive as they always do. */
export function isPlain(script: PhoneScript | null | undefined): boolean {
  return script == null || script.next === "deliver";
}

/** Says in a sentence what a script does, and for how long. */
export function useScriptText(): (script: PhoneScript | null | undefined) => string {
  const { t } = useTranslation("sandboxPhone");
  return (script) => {
    if (script == null || script.next === "deliver") return t("script.says.deliver");
    const { next, ms, code, times, count } = script;
    const amount = next === "slow" ? (ms ?? 0) / 1000 : (times ?? DEFAULTS.times);
    const says = t(`script.says.${next}`, { code: code ?? "", count: amount });
    return `${says} ${count == null ? t("script.untilChanged") : t("script.forNext", { count })}`;
  };
}

// The range of days of the figures. It is part of the address, so that a reload keeps it.

import { getRouteApi } from "@tanstack/react-router";
import { readTime } from "@/lib/local-time";

export const route = getRouteApi("/insights");

type Search = ReturnType<typeof route.useSearch>;

export const PRESETS = ["7", "30", "90", "all", "dates"] as const;
export type Preset = (typeof PRESETS)[number];

/** Days as the address has them. */
interface AskedDays {
  range?: string;
  from?: string;
  to?: string;
}

/** Days as the host takes them, such as `2026-11-20`; absent where there is no end. */
export interface Days {
  from: string | null;
  to: string | null;
}

export function presetOf({ range }: AskedDays): Preset {
  return PRESETS.find((name) => name === range) ?? "30";
}

/** A day of the calendar, such as `2026-11-20`. */
export const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? "") && readTime(text) !== undefined;

/** The days that the address asks for; those it cannot mean are left out. */
export function daysOf(search: AskedDays, now = new Date()): Days {
  const preset = presetOf(search);
  if (preset === "all") return { from: null, to: null };
  if (preset !== "dates") {
    const first = new Date(now.getFullYear(), now.getMonth(), now.getDate() - Number(preset) + 1);
    return { from: dayOf(first), to: null };
  }
  return { from: isDay(search.from) ? search.from : null, to: isDay(search.to) ? search.to : null };
}

/** Whether the last day lies before the first. */
export const isReversed = ({ from, to }: Days): boolean => from !== null && to !== null && from > to;

function dayOf(date: Date): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** How the words of the address are changed; those without a value leave it. */
export function useChange(): (part: { [N in keyof Search]?: string | undefined }) => void {
  const navigate = route.useNavigate();
  return (part) =>
    void navigate({
      search: (before) => Object.fromEntries(Object.entries({ ...before, ...part }).filter(([, value]) => value)),
      replace: true,
    });
}

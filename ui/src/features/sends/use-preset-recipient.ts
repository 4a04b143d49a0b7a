import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

const route = getRouteApi("/sends/new");

/** Who is answered. */
export function useAnsweredPerson(): string | undefined {
  const { reply, to = reply } = route.useSearch();
  return to;
}

/** The number to answer from, if the workspace still has it. */
export function useAnsweringNumber(numbers: readonly { id: string }[]): string | undefined {
  const { number } = route.useSearch();
  return numbers.some(({ id }) => id === number) ? number : undefined;
}

/** Fills in the recipient of a link, and the number to answer from, once; later changes of the form are kept. */
export function usePresetRecipient(
  numbers: readonly { id: string }[],
  take: (preset: { to: string; number?: string }) => void,
): void {
  const { to } = route.useSearch();
  const navigate = route.useNavigate();
  const from = useAnsweringNumber(numbers);
  const begin = useEffectEvent((recipient: string) => {
    take({ to: recipient, ...(from !== undefined && { number: from }) });
    void navigate({ search: ({ to: _, ...rest }) => ({ ...rest, reply: recipient }), replace: true });
  });
  useEffect(() => {
    if (to !== undefined) begin(to);
  }, [to]);
}

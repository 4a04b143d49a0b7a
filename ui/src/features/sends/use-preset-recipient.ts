import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

const route = getRouteApi("/sends/new");

/**
 * Fills in the recipient of a link, and the number to answer from if the workspace still has it, once; later changes of
 * the form are kept.
 */
export function usePresetRecipient(
  numbers: readonly { id: string }[],
  take: (preset: { to: string; number?: string }) => void,
): void {
  const { to, number } = route.useSearch();
  const navigate = route.useNavigate();
  const begin = useEffectEvent((recipient: string) => {
    const known = numbers.find(({ id }) => id === number);
    take({ to: recipient, ...(known && { number: known.id }) });
    const answered = number === undefined ? {} : { reply: recipient };
    void navigate({ search: ({ to: _, ...rest }) => ({ ...rest, ...answered }), replace: true });
  });
  useEffect(() => {
    if (to !== undefined) begin(to);
  }, [to]);
}

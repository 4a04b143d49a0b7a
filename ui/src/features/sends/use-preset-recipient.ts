import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

const route = getRouteApi("/sends/new");

/** Fills in the recipient of a link once; later changes of the form are kept. */
export function usePresetRecipient(take: (to: string) => void): void {
  const { to } = route.useSearch();
  const navigate = route.useNavigate();
  const begin = useEffectEvent((recipient: string) => {
    take(recipient);
    void navigate({ search: ({ to: _, ...rest }) => rest, replace: true });
  });
  useEffect(() => {
    if (to !== undefined) begin(to);
  }, [to]);
}

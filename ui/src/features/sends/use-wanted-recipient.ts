import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";

const route = getRouteApi("/sends/new");

/** Fills in the recipient of a link once; later changes of the form are kept. */
export function useWantedRecipient(take: (to: string) => void): void {
  const { to } = route.useSearch();
  const navigate = route.useNavigate();
  const begin = useEffectEvent((wanted: string) => {
    take(wanted);
    void navigate({ search: ({ to: _, ...rest }) => rest, replace: true });
  });
  useEffect(() => {
    if (to !== undefined) begin(to);
  }, [to]);
}

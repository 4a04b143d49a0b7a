import { useRouter } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { route, type Search, withSearch } from "./filter";

type Kept = Pick<Search, "number" | "unread" | "people">;

// What the list was narrowed to, by workspace; it lasts as long as the window does. Words that were searched for are not kept.
export const keptFilters = new Map<string, Kept>();

const keptPart = ({ number, unread, people }: Search): Kept => withSearch({}, { number, unread, people });

/**
 * Brings back what the list was narrowed to last when the screen is opened by itself, and keeps what it is narrowed to.
 * Says whether that is done, so that nothing else is asked for before.
 */
export function useKeptFilter(workspace: string): boolean {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const kept = () => keptFilters.get(workspace) ?? {};
  const isPlain = Object.keys(search).length === 0;
  const [isReady, setReady] = useState(() => !isPlain || Object.keys(kept()).length === 0);
  const restore = useEffectEvent(() => {
    if (!isReady) void navigate({ search: kept(), replace: true }).then(() => setReady(true));
  });
  useEffect(() => restore(), []);

  const filter = JSON.stringify(keptPart(search));
  const seen = useRef(filter);
  const { history } = useRouter();
  const keep = useEffectEvent((next: string) => {
    // On the way to another screen, this one is drawn with the address of that.
    if (history.location.pathname !== "/inbox" || seen.current === next) return;
    seen.current = next;
    keptFilters.set(workspace, keptPart(search));
  });
  useEffect(() => {
    // A link to one conversation says nothing about the list.
    if (isReady) keep(filter);
  }, [isReady, filter]);
  return isReady;
}

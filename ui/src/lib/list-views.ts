// What lists of templates were narrowed to last, and filters with a name. The host keeps them for each workspace.

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { ListViews, SavedView } from "@/bindings/app";
import type { DeskFailure } from "./ipc/errors";
import { keys } from "./ipc/keys";
import { useCommand } from "./ipc/mutations";
import { queries } from "./ipc/queries";
import { cleanFilter, readFilter, type TemplateFilter, writeFilter } from "./template-filter";

interface Then {
  onSuccess?: () => void;
  onError?: (failure: DeskFailure) => void;
}

/** The views of a workspace, and how they are changed. A change that is refused is taken back. */
export function useListViews(workspace: string) {
  const client = useQueryClient();
  const { data, isPending, isError } = useQuery(queries.listViews(workspace));
  const save = useCommand("save_list_views");
  const key = keys.listViews(workspace);

  const change = (next: (before: ListViews) => ListViews, then: Then = {}) => {
    const before = client.getQueryData<ListViews>(key);
    if (!before) return;
    const views = next(before);
    client.setQueryData(key, views);
    save.mutate(
      { workspace, views },
      {
        onSuccess: (kept) => {
          client.setQueryData(key, kept);
          then.onSuccess?.();
        },
        onError: (failure) => {
          client.setQueryData(key, before);
          then.onError?.(failure);
        },
      },
    );
  };
  const changeSaved = (next: (before: SavedView[]) => SavedView[], then?: Then) =>
    change((before) => ({ ...before, saved: next(before.saved) }), then);

  return {
    views: data,
    isKnown: !isPending || isError,
    isSaving: save.isPending,
    remember: (screen: string, filter: string) =>
      change((before) => ({ ...before, last: { ...before.last, [screen]: filter } })),
    add: (view: Omit<SavedView, "id">, then?: Then) =>
      changeSaved((before) => [...before, { ...view, id: crypto.randomUUID() }], then),
    rename: (id: string, name: string, then?: Then) =>
      changeSaved((before) => before.map((view) => (view.id === id ? { ...view, name } : view)), then),
    remove: (id: string) => changeSaved((before) => before.filter((view) => view.id !== id)),
    /** Puts a view that was removed back. */
    restore: (view: SavedView) => changeSaved((before) => [...before, view]),
  };
}

/** Delay before an unchanged filter is stored, in milliseconds. */
const SETTLED = 400;

interface Remembered {
  workspace: string;
  screen: string;
  filter: TemplateFilter;
  /** Goes to the address of a filter. */
  apply: (filter: TemplateFilter) => Promise<void>;
}

/**
 * Brings back what a list was narrowed to last when it is opened without a filter, and remembers what it is narrowed
 * to. Says whether that is done, so that nothing else is asked for before.
 */
export function useRememberedFilter({ workspace, screen, filter, apply }: Remembered): boolean {
  const { views, isKnown, remember } = useListViews(workspace);
  const [isReady, setReady] = useState(
    () => Object.keys(cleanFilter(filter)).length > 0 || (isKnown && (views?.last[screen] ?? "") === ""),
  );
  const text = writeFilter(filter);

  const restore = useEffectEvent(() => {
    const last = readFilter(views?.last[screen] ?? "");
    if (isReady || Object.keys(last).length === 0) setReady(true);
    else void apply(last).then(() => setReady(true));
  });
  useEffect(() => {
    if (isKnown) restore();
  }, [isKnown]);

  const keep = useEffectEvent((debounced: string) => {
    if (views && (views.last[screen] ?? "") !== debounced) remember(screen, debounced);
  });
  useEffect(() => {
    if (!isReady || !isKnown) return;
    const timer = setTimeout(() => keep(text), SETTLED);
    return () => clearTimeout(timer);
  }, [isReady, isKnown, text]);

  return isReady;
}

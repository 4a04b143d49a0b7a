import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { TemplateRow, TemplateTarget } from "@/bindings/app";
import { showFailure } from "@/components/show-failure";
import { toFailure } from "@/lib/ipc/errors";
import { MAX_ROWS } from "@/lib/ipc/lists";
import { queries, type TemplatesQuery } from "@/lib/ipc/queries";

type Selection = { kind: "some"; references: ReadonlySet<string> } | { kind: "all"; asked: string };

const NONE: Selection = { kind: "some", references: new Set() };

interface Shown {
  rows: readonly TemplateRow[];
  /** Place of the first of `rows` in the list. */
  offset: number;
  total: number;
}

/**
 * Templates chosen together. Single ones stay chosen while the list is narrowed to others; "all" are all that fit the
 * filters, whether they are at hand or not, and no longer chosen once the filters change. Nothing is chosen any longer
 * in another `round`.
 */
export function useSelection(query: TemplatesQuery, shown: Shown | undefined, round: number) {
  const client = useQueryClient();
  const asked = JSON.stringify(query);
  const [{ kept, of }, setState] = useState({ kept: NONE, of: round });
  const setKept = (next: Selection) => setState({ kept: next, of: round });
  const [anchor, setAnchor] = useState<{ asked: string; index: number }>();
  const [isBusy, setBusy] = useState(false);
  const isOver = of !== round || (kept.kind === "all" && kept.asked !== asked);
  const selection = isOver ? NONE : kept;
  const isAll = selection.kind === "all";

  /** References of the rows of the list from one place to another, both of them included. */
  const referencesOf = async (from: number, to: number): Promise<string[]> => {
    if (shown && from >= shown.offset && to < shown.offset + shown.rows.length) {
      return shown.rows.slice(from - shown.offset, to - shown.offset + 1).map(({ reference }) => reference);
    }
    const found: string[] = [];
    for (let at = from; at <= to; at += MAX_ROWS) {
      const part = queries.templates(query, at, Math.min(MAX_ROWS, to - at + 1));
      const { rows } = await client.fetchQuery({ ...part, gcTime: 0 });
      found.push(...rows.map(({ reference }) => reference));
    }
    return found;
  };
  const gather = async (from: number, to: number, take: (references: string[]) => Selection) => {
    setBusy(true);
    try {
      const references = await referencesOf(from, to);
      setKept(take(references));
    } catch (reason) {
      showFailure(toFailure(reason));
    } finally {
      setBusy(false);
    }
  };

  const mark = (row: TemplateRow, index: number, range: boolean) => {
    const start = anchor?.asked === asked ? anchor.index : undefined;
    if (!range || start === undefined) setAnchor({ asked, index });
    if (selection.kind === "all") {
      if (range) return;
      // All but this one: from here on they are single ones.
      void gather(0, (shown?.total ?? 1) - 1, (references) => ({
        kind: "some",
        references: new Set(references.filter((reference) => reference !== row.reference)),
      }));
    } else if (range && start !== undefined) {
      void gather(Math.min(start, index), Math.max(start, index), (references) => ({
        kind: "some",
        references: new Set([...selection.references, ...references]),
      }));
    } else {
      const references = new Set(selection.references);
      if (!references.delete(row.reference)) references.add(row.reference);
      setKept({ kind: "some", references });
    }
  };

  const target: TemplateTarget =
    selection.kind === "all"
      ? { kind: "query", query: { ...query, offset: 0, limit: MAX_ROWS } }
      : { kind: "references", references: [...selection.references] };

  return {
    isMarked: ({ reference }: TemplateRow) => selection.kind === "all" || selection.references.has(reference),
    count: selection.kind === "all" ? (shown?.total ?? 0) : selection.references.size,
    isAll,
    /** Whether the references of many rows are being gathered. */
    isBusy,
    target,
    mark,
    markAll: () => setKept(isAll ? NONE : { kind: "all", asked }),
    clear: () => setKept(NONE),
  };
}

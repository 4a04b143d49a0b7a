import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ReviewBoard } from "@/bindings/app";
import { isShortcut } from "@/lib/shortcuts";
import { type TemplateFilter, valuesOf } from "@/lib/template-filter";
import { Column } from "./column";
import classes from "./review.module.css";

/** The column of what was not submitted yet; no template has this status. */
const DRAFT = "DRAFT";

interface BoardProps {
  board: ReviewBoard;
  filter: TemplateFilter;
  sandbox: boolean;
  isBusy: boolean;
}

/** The columns, with the keys that lead from card to card. Each column is one stop of the tab key. */
export function Board({ board, filter, sandbox, isBusy }: BoardProps) {
  const { t } = useTranslation("review");
  // By column, what somebody opened or closed; else those that hold something are open.
  const [opened, setOpened] = useState<Record<string, boolean>>({});
  const filtered = valuesOf(filter.status);
  const isIncluded = (status: string) => filtered.length === 0 || status === "" || filtered.includes(status);
  const column = (status: string, count: number, waba?: string | null) => ({
    status,
    waba: waba ?? undefined,
    count,
    filter,
    differing: board.differing,
    accounts: board.accounts,
    flagged: board.flagged,
    comingCategories: board.comingCategories,
    raisedCategories: board.raisedCategories,
    overdueBefore: board.needs.overdueBefore,
    riskUntil: board.needs.riskUntil,
    usual: board.needs.usualMs,
    sandbox,
    isOpen: opened[columnKey(status, waba)] ?? count > 0,
    onOpen: (isOpen: boolean) => setOpened((before) => ({ ...before, [columnKey(status, waba)]: isOpen })),
  });
  return (
    <section className={classes.board} aria-label={t("board")} aria-busy={isBusy} onKeyDown={onKeyDown}>
      {isIncluded(DRAFT) && <Column {...column(DRAFT, board.draftCount)} drafts={board.drafts} rows={[]} />}
      {board.columns
        .filter(({ status }) => isIncluded(status))
        .map(({ status, waba, count, rows }) => (
          <Column key={columnKey(status, waba)} {...column(status, count, waba)} rows={rows} />
        ))}
    </section>
  );
}

const columnKey = (status: string, waba: string | null | undefined) => (waba == null ? status : `account ${waba}`);

const MOVES: Record<string, (place: Place) => Place> = {
  ArrowUp: ({ column, card }) => ({ column, card: card - 1 }),
  ArrowDown: ({ column, card }) => ({ column, card: card + 1 }),
  ArrowLeft: ({ column, card }) => ({ column: column - 1, card }),
  ArrowRight: ({ column, card }) => ({ column: column + 1, card }),
  Home: ({ column }) => ({ column, card: 0 }),
  End: ({ column }) => ({ column, card: Number.POSITIVE_INFINITY }),
};

interface Place {
  column: number;
  card: number;
}

function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: board } = event;
  // Keys pressed in a dialog that a card opened come by here as well.
  const card = target instanceof Element && board.contains(target) ? target.closest("[data-card]") : null;
  if (!card) return;
  if (isShortcut(event, "fixCard")) {
    const fix = card.querySelector<HTMLElement>("[data-fix]");
    if (!fix) return;
    event.preventDefault();
    fix.click();
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  const move = MOVES[event.key];
  if (!move) return;
  event.preventDefault();
  // Columns without cards are passed over.
  const columns = [...board.querySelectorAll("[data-column]")]
    .map((column) => [...column.querySelectorAll("[data-card]")])
    .filter((cards) => cards.length > 0);
  const column = columns.findIndex((cards) => cards.includes(card));
  const to = move({ column, card: columns[column]?.indexOf(card) ?? 0 });
  const cards = columns[to.column];
  cards?.[Math.max(0, Math.min(to.card, cards.length - 1))]?.querySelector<HTMLElement>("a")?.focus();
}

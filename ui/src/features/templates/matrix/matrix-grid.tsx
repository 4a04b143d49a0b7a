import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MatrixPage, MatrixRow } from "@/bindings/app";
import styles from "@/components/styles.module.css";
import list from "@/components/virtual-list.module.css";
import { useRowScale } from "@/lib/appearance";
import { useBootstrap } from "@/lib/desk";
import { useLanguageName } from "@/lib/language-name";
import classes from "./matrix.module.css";
import { FilledCell, MissingCell } from "./matrix-cell";

/** Sizes in pixels at the normal size of text; the style sheet lays out within them. */
const SIZES = { row: 44, head: 36, column: 132, name: 232 };

function useSizes(): typeof SIZES {
  const { preferences } = useBootstrap();
  const scale = preferences.textScale / 100;
  const row = Math.round(SIZES.row * useRowScale());
  return { row, head: SIZES.head * scale, column: SIZES.column * scale, name: SIZES.name * scale };
}

interface MatrixGridProps {
  page: MatrixPage & { offset: number };
  handle: RefObject<HTMLDivElement | null>;
  onRange: (first: number, last: number) => void;
  /** Keeps the scroll position under this name while the window is open. */
  memory: string;
}

// Where each matrix was left; it lasts as long as the window does.
export const gridMemories = new Map<string, { top: number; left: number; active: { row: number; column: number } }>();

/**
 * Names down, languages across; only the cells in sight exist. Arrows, Home, End and Page keys move from cell to cell,
 * Enter opens one or adds the language, and the space bar says what differs.
 */
export function MatrixGrid({ page, handle, onRange, memory }: MatrixGridProps) {
  const { t } = useTranslation("matrix");
  const languageName = useLanguageName();
  const size = useSizes();
  const id = useId();
  const { names, languages, offset } = page;
  const [remembered] = useState(() => gridMemories.get(memory));
  const [active, setActive] = useState(remembered?.active ?? { row: 0, column: 0 });

  const down = useVirtualizer({
    count: names,
    getScrollElement: () => handle.current,
    estimateSize: () => size.row,
    paddingStart: size.head,
    scrollPaddingStart: size.head,
    overscan: 8,
    initialOffset: remembered?.top ?? 0,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: languages.length,
    getScrollElement: () => handle.current,
    estimateSize: () => size.column,
    paddingStart: size.name,
    scrollPaddingStart: size.name,
    overscan: 3,
    initialOffset: remembered?.left ?? 0,
  });
  const rows = down.getVirtualItems();
  const columns = across.getVirtualItems();

  const first = rows.at(0)?.index ?? 0;
  const last = rows.at(-1)?.index ?? -1;
  const tellRange = useEffectEvent((from: number, to: number) => onRange(from, to));
  useEffect(() => {
    if (last >= 0) tellRange(first, last);
  }, [first, last]);

  const remember = (next: { row: number; column: number }) => {
    const { scrollTop = 0, scrollLeft = 0 } = handle.current ?? {};
    gridMemories.set(memory, { top: scrollTop, left: scrollLeft, active: next });
  };
  const go = (row: number, column: number) => {
    const next = {
      row: Math.max(0, Math.min(names - 1, row)),
      column: Math.max(0, Math.min(languages.length - 1, column)),
    };
    setActive(next);
    down.scrollToIndex(next.row, { align: "auto" });
    across.scrollToIndex(next.column, { align: "auto" });
    remember(next);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== handle.current) return;
    const { row, column } = active;
    const page = Math.max(1, Math.floor(((handle.current?.clientHeight ?? size.head) - size.head) / size.row) - 1);
    const all = event.ctrlKey || event.metaKey;
    const moves: Record<string, [row: number, column: number]> = {
      ArrowDown: [row + 1, column],
      ArrowUp: [row - 1, column],
      ArrowRight: [row, column + 1],
      ArrowLeft: [row, column - 1],
      PageDown: [row + page, column],
      PageUp: [row - page, column],
      Home: [all ? 0 : row, 0],
      End: [all ? names - 1 : row, languages.length - 1],
    };
    const move = moves[event.key];
    const cell = document.getElementById(`${id}-${row}-${column}`);
    if (move) {
      event.preventDefault();
      go(...move);
    } else if (event.key === "Enter" && cell) {
      event.preventDefault();
      cell.querySelector<HTMLElement>("[data-opens]")?.click();
    } else if (event.key === " " && cell) {
      event.preventDefault();
      cell.querySelector<HTMLElement>("[data-tells]")?.click();
    }
  };

  return (
    <div
      ref={handle}
      className={`${list.scroller} ${classes.grid}`}
      role="grid"
      aria-label={t("title")}
      aria-rowcount={names + 1}
      aria-colcount={languages.length + 1}
      aria-readonly
      aria-activedescendant={
        rows.some(({ index }) => index === active.row) && columns.some(({ index }) => index === active.column)
          ? `${id}-${active.row}-${active.column}`
          : undefined
      }
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={() => remember(active)}
    >
      <div className={classes.space} style={{ height: down.getTotalSize(), width: across.getTotalSize() }}>
        {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current cell */}
        <div role="row" aria-rowindex={1} className={classes.head} style={{ height: size.head }}>
          {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current cell */}
          <div role="columnheader" aria-colindex={1} className={classes.corner} style={{ width: size.name }}>
            {t("name")}
          </div>
          {columns.map(({ index, start }) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current cell
            <div
              key={index}
              role="columnheader"
              aria-colindex={index + 2}
              className={classes.language}
              style={{ width: size.column, left: start }}
            >
              <span className={styles.truncate} title={languages[index]?.value}>
                {languageName(languages[index]?.value ?? "")}
              </span>{" "}
              <span className={classes.quiet}>{languages[index]?.count}</span>
            </div>
          ))}
        </div>
        {rows.map(({ index, start }) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current cell
          <div
            key={index}
            role="row"
            aria-rowindex={index + 2}
            className={classes.row}
            style={{ height: size.row, transform: `translateY(${start}px)` }}
          >
            <Name width={size.name} row={page.rows[index - offset]} />
            {columns.map((column) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current cell
              // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys for its cells
              <div
                key={column.index}
                id={`${id}-${index}-${column.index}`}
                role="gridcell"
                aria-colindex={column.index + 2}
                aria-selected={active.row === index && active.column === column.index}
                data-current={(active.row === index && active.column === column.index) || undefined}
                className={classes.cell}
                style={{ width: size.column, left: column.start }}
                onClick={() => {
                  setActive({ row: index, column: column.index });
                  remember({ row: index, column: column.index });
                }}
              >
                <Cell row={page.rows[index - offset]} language={languages[column.index]?.value ?? ""} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Name({ row, width }: { row: MatrixRow | undefined; width: number }) {
  const { t } = useTranslation();
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current cell
    <div role="rowheader" aria-colindex={1} className={classes.name} style={{ width }} title={row?.name}>
      {row ? row.name : <span className={classes.waiting} role="img" aria-label={t("loading")} />}
    </div>
  );
}

function Cell({ row, language }: { row: MatrixRow | undefined; language: string }) {
  if (!row) return null;
  const cell = row.cells.find((one) => one.language === language);
  return cell && cell.templates.length > 0 ? (
    <FilledCell name={row.name} cell={cell} />
  ) : (
    <MissingCell row={row} language={language} />
  );
}

import { elementScroll, type observeElementRect, useVirtualizer } from "@tanstack/react-virtual";
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { useRowScale } from "@/lib/appearance";
import { useIsDrawn } from "@/lib/first-frame";
import { isShortcut } from "@/lib/shortcuts";
import classes from "./virtual-list.module.css";

interface VirtualListProps<Row> {
  /** The rows at hand: all of them, or the part from `offset` on of a list of `total` rows. */
  rows: readonly Row[];
  offset?: number;
  total?: number;
  /** Called with the visible range when it changes, for lists that load in parts. */
  onRange?: (first: number, last: number) => void;
  rowKey: (row: Row) => string;
  /** Height of a row in pixels, at the normal size of text and density. */
  rowHeight: number;
  children: (row: Row, index: number) => ReactNode;
  /** Accessible name of the list. */
  label: string;
  /** Accessible name of a row. */
  rowLabel: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  /**
   * Whether a row is among those chosen together; the space bar and `onMark` choose it, with Shift
   * all rows from the one that was chosen before. Absent where none can be.
   */
  marked?: ((row: Row) => boolean) | undefined;
  onMark?: ((row: Row, index: number, range: boolean) => void) | undefined;
  /** Chooses all rows, or none where all are chosen, with Ctrl or Cmd and A. */
  onMarkAll?: (() => void) | undefined;
  /** Key of the row that is open beside the list. */
  selected?: string | undefined;
  /** Where there are more rows than fetched. */
  onEnd?: (() => void) | undefined;
  /** Keeps scroll position and current row under this name while the window is open. */
  memory?: string;
  /** Instant of the first row, where the newest is first: a list that got newer rows while it was left begins at its top. */
  newest?: number | undefined;
  /** Called when the first row becomes visible or hidden, and once at the start. */
  onTop?: (top: boolean) => void;
  handle?: Ref<VirtualListHandle>;
}

/** What may be done with a list from outside. */
export interface VirtualListHandle {
  /** Scrolls to the first row, which becomes the current one. */
  toTop: () => void;
  focus: () => void;
}

// Where each list was left; it lasts as long as the window does.
export const listMemories = new Map<string, ListMemory>();

interface ListMemory {
  scrolled: number;
  current: Current | undefined;
  newest: number | undefined;
}

/** The row that the keys act upon: it is known by its key, and by its place while it is not at hand. */
interface Current {
  key: string | undefined;
  index: number;
}

/** Height of a list until it is measured, as a share of the window: that of the templates, without the first steps. */
const ESTIMATED_HEIGHT = 0.8;

/** Observes the size of a list. The library's own observer reads it while the list is mounted, which forces a layout. */
const observeSize: typeof observeElementRect<HTMLDivElement> = ({ scrollElement }, measured) => {
  if (!scrollElement) return;
  const observer = new ResizeObserver(() =>
    measured({ width: scrollElement.offsetWidth, height: scrollElement.offsetHeight }),
  );
  observer.observe(scrollElement);
  return () => observer.disconnect();
};

/**
 * A list of any length, of which only the visible rows exist. Arrows, Home, End and Page keys move, Enter opens, and
 * the space bar marks where rows can be chosen together.
 */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { rows, rowKey, children, label, rowLabel, onOpen, marked, onMark, selected, onEnd, memory } = props;
  const { offset = 0, total = rows.length, onRange, onMarkAll, onTop, newest, handle } = props;
  const rowHeight = Math.round(props.rowHeight * useRowScale());
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [remembered] = useState(() => {
    const left = memory === undefined ? undefined : listMemories.get(memory);
    return left && (newest ?? 0) > (left.newest ?? newest ?? 0) ? undefined : left;
  });
  const [chosen, setChosen] = useState(remembered?.current);
  const rowAt = (index: number) => rows[index - offset];
  const wanted = chosen ? chosen.key : selected;
  const found = wanted === undefined ? -1 : rows.findIndex((row) => rowKey(row) === wanted);
  const current = found >= 0 ? found + offset : Math.max(0, Math.min(total - 1, chosen?.index ?? 0));

  const isDrawn = useIsDrawn();
  const isMounted = useRef(false);
  // It knows rows by their place: by keys of their own it would ask for those of the whole list at every change.
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    // A page further on is there already when a frame comes late. The first frame has about the rows in sight.
    overscan: isDrawn ? 14 : 0,
    initialRect: { width: window.innerWidth, height: window.innerHeight * ESTIMATED_HEIGHT },
    observeElementRect: observeSize,
    scrollToFn: (position, options, instance) => {
      // While a list is mounted, the library scrolls to where it begins. A new list is at its top: scrolling there forces a
      // layout before the frame.
      if (isMounted.current || position > 0) elementScroll(position, options, instance);
    },
    initialOffset: remembered?.scrolled ?? 0,
  });
  useEffect(() => {
    isMounted.current = true;
  }, []);
  const items = virtual.getVirtualItems();

  const first = items.at(0)?.index ?? 0;
  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd?.();
  }, [last, rows.length, onEnd]);
  const tellRange = useEffectEvent((from: number, to: number) => onRange?.(from, to));
  useEffect(() => {
    if (last >= 0) tellRange(first, last);
  }, [first, last]);

  const [atTop, setAtTop] = useState((remembered?.scrolled ?? 0) < rowHeight);
  const tellTop = useEffectEvent((top: boolean) => onTop?.(top));
  useEffect(() => tellTop(atTop), [atTop]);

  const remember = (scrolled: number, next: Current | undefined) => {
    if (memory !== undefined) listMemories.set(memory, { scrolled, current: next, newest });
  };
  const choose = (index: number) => {
    const row = rowAt(index);
    const next = { key: row === undefined ? undefined : rowKey(row), index };
    setChosen(next);
    remember(scroller.current?.scrollTop ?? 0, next);
    return row;
  };

  const go = (to: number) => {
    const index = Math.max(0, Math.min(total - 1, to));
    if (total === 0) return;
    virtual.scrollToIndex(index, { align: "auto" });
    choose(index);
  };

  useImperativeHandle(handle, () => ({
    toTop: () => {
      setChosen(undefined);
      scroller.current?.scrollTo({ top: 0 });
      remember(0, undefined);
    },
    focus: () => scroller.current?.focus(),
  }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== scroller.current) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? rowHeight) / rowHeight) - 1);
    const moves: Record<string, number> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: total - 1,
    };
    const to = moves[event.key];
    const row = rowAt(current);
    if (to !== undefined) {
      event.preventDefault();
      const isArrow = event.key === "ArrowDown" || event.key === "ArrowUp";
      const next = Math.max(0, Math.min(total - 1, chosen === undefined && isArrow ? current : to));
      go(next);
      const reached = rowAt(next);
      if (event.shiftKey && reached !== undefined) onMark?.(reached, next, true);
    } else if (isShortcut(event, "selectAll") && onMarkAll) {
      event.preventDefault();
      onMarkAll();
    } else if (event.key === "Enter" && row !== undefined && onOpen) {
      event.preventDefault();
      onOpen(row);
    } else if (event.key === " " && row !== undefined && onMark) {
      event.preventDefault();
      choose(current);
      onMark(row, current, event.shiftKey);
    }
  };

  const isSelected = (row: Row, index: number) => {
    if (marked) return marked(row);
    return selected === undefined ? index === current : rowKey(row) === selected;
  };

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={total}
      aria-readonly
      aria-multiselectable={marked ? true : undefined}
      aria-activedescendant={items.some(({ index }) => index === current) ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop } }) => {
        remember(scrollTop, chosen);
        setAtTop(scrollTop < rowHeight);
      }}
    >
      <div className={classes.space} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rowAt(item.index);
          const style = { height: rowHeight, transform: `translateY(${item.start}px)` };
          if (row === undefined) return <Waiting key={item.index} index={item.index} style={style} />;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for its rows
            <div
              key={rowKey(row)}
              id={`${id}-${item.index}`}
              role="row"
              aria-label={rowLabel(row)}
              aria-selected={isSelected(row, item.index)}
              aria-rowindex={item.index + 1}
              tabIndex={-1}
              data-current={item.index === current || undefined}
              data-selected={(marked ? marked(row) : rowKey(row) === selected) || undefined}
              className={classes.row}
              style={style}
              onClick={() => {
                choose(item.index);
                onOpen?.(row);
              }}
            >
              {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current row */}
              <div role="gridcell" className={classes.cell}>
                {children(row, item.index)}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** Placeholder of a row that is loading. */
function Waiting({ index, style }: { index: number; style: CSSProperties }) {
  const { t } = useTranslation();
  return (
    <div role="row" tabIndex={-1} aria-rowindex={index + 1} aria-busy className={classes.row} style={style}>
      {/* biome-ignore lint/a11y/useFocusableInteractive: there is nothing in it yet */}
      <div role="gridcell" aria-label={t("loading")} className={classes.waiting}>
        <span />
        <span />
      </div>
    </div>
  );
}

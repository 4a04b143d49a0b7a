import { useVirtualizer } from "@tanstack/react-virtual";
import {
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
import classes from "./virtual-list.module.css";

interface VirtualListProps<Row> {
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** Height of a row in pixels. */
  rowHeight: number;
  children: (row: Row) => ReactNode;
  /** Accessible name of the list. */
  label: string;
  /** Accessible name of a row. */
  rowLabel: (row: Row) => string;
  onOpen?: ((row: Row) => void) | undefined;
  /** Key of the row that is open beside the list. */
  selected?: string | undefined;
  /** Where there are more rows than fetched. */
  onEnd?: (() => void) | undefined;
  /** Keeps scroll position and current row under this name while the window is open. */
  memory?: string;
  /** Told when the first row comes into sight or leaves it, and once in the beginning. */
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
const memories = new Map<string, { offset: number; current: string | undefined }>();

/**
 * A list of any length, of which only the visible rows exist. Arrows, Home, End and Page keys move, Enter opens.
 */
export function VirtualList<Row>(props: VirtualListProps<Row>) {
  const { rows, rowKey, rowHeight, children, label, rowLabel, onOpen, selected, onEnd, memory, onTop, handle } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const [remembered] = useState(() => (memory === undefined ? undefined : memories.get(memory)));
  const [currentKey, setCurrentKey] = useState(remembered?.current);
  const found = rows.findIndex((row) => rowKey(row) === (currentKey ?? selected));
  const current = Math.max(0, found);

  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => {
      const row = rows[index];
      return row === undefined ? index : rowKey(row);
    },
    overscan: 8,
    initialOffset: remembered?.offset ?? 0,
  });
  const items = virtual.getVirtualItems();

  const last = items.at(-1)?.index ?? -1;
  useEffect(() => {
    if (rows.length > 0 && last >= rows.length - 20) onEnd?.();
  }, [last, rows.length, onEnd]);

  const [atTop, setAtTop] = useState((remembered?.offset ?? 0) < rowHeight);
  const tellTop = useEffectEvent((top: boolean) => onTop?.(top));
  useEffect(() => tellTop(atTop), [atTop]);

  const remember = (offset: number, key: string | undefined) => {
    if (memory !== undefined) memories.set(memory, { offset, current: key });
  };

  const go = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (row === undefined) return;
    const key = rowKey(row);
    setCurrentKey(key);
    virtual.scrollToIndex(rows.indexOf(row), { align: "auto" });
    remember(scroller.current?.scrollTop ?? 0, key);
  };

  useImperativeHandle(handle, () => ({
    toTop: () => {
      setCurrentKey(undefined);
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
      End: rows.length - 1,
    };
    const to = moves[event.key];
    const row = rows[current];
    if (to !== undefined) {
      event.preventDefault();
      go(currentKey === undefined && (event.key === "ArrowDown" || event.key === "ArrowUp") ? current : to);
    } else if (event.key === "Enter" && row !== undefined && onOpen) {
      event.preventDefault();
      onOpen(row);
    }
  };

  return (
    <div
      ref={scroller}
      className={classes.scroller}
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length}
      aria-readonly
      aria-activedescendant={items.some(({ index }) => index === current) ? `${id}-${current}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      onScroll={({ currentTarget: { scrollTop } }) => {
        remember(scrollTop, currentKey);
        setAtTop(scrollTop < rowHeight);
      }}
    >
      <div className={classes.space} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index];
          if (row === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys for its rows
            <div
              key={item.key}
              id={`${id}-${item.index}`}
              role="row"
              aria-label={rowLabel(row)}
              aria-selected={selected === undefined ? item.index === current : rowKey(row) === selected}
              aria-rowindex={item.index + 1}
              tabIndex={-1}
              data-current={item.index === current || undefined}
              data-selected={rowKey(row) === selected || undefined}
              className={classes.row}
              style={{ height: rowHeight, transform: `translateY(${item.start}px)` }}
              onClick={() => {
                setCurrentKey(rowKey(row));
                remember(scroller.current?.scrollTop ?? 0, rowKey(row));
                onOpen?.(row);
              }}
            >
              {/* biome-ignore lint/a11y/useFocusableInteractive: the focus stays on the grid, which names the current row */}
              <div role="gridcell" className={classes.cell}>
                {children(row)}
              </div>
            </div>
          );
        })}
      </div>
    </div>
  );
}

// Moving the items of a list by pointer or by keys. The window takes dropped files, so the browser's own dragging is not to
// be had here; dnd-kit follows the pointer itself.

import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardCode,
  KeyboardSensor,
  type Modifier,
  PointerSensor,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import {
  horizontalListSortingStrategy,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from "@dnd-kit/sortable";
import { CSS } from "@dnd-kit/utilities";
import { type CSSProperties, type ReactNode, useMemo } from "react";
import { useTranslation } from "react-i18next";

interface ReorderProps {
  /** Keys of the items, in their order. */
  keys: string[];
  direction: "horizontal" | "vertical";
  /** What the item at a place is called. */
  nameOf: (index: number) => string;
  onMove: (from: number, to: number) => void;
  children: ReactNode;
}

/** Only Space takes an item up: Enter keeps its own meaning. */
const KEYS = {
  start: [KeyboardCode.Space],
  cancel: [KeyboardCode.Esc],
  end: [KeyboardCode.Space, KeyboardCode.Enter, KeyboardCode.Tab],
};

const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value));

/** An item moves along its list, and no further than its ends. */
const ALONG: Record<ReorderProps["direction"], Modifier> = {
  horizontal: ({ transform, draggingNodeRect: item, containerNodeRect: list }) => ({
    ...transform,
    x: item && list ? within(transform.x, list.left - item.left, list.right - item.right) : transform.x,
    y: 0,
  }),
  vertical: ({ transform, draggingNodeRect: item, containerNodeRect: list }) => ({
    ...transform,
    x: 0,
    y: item && list ? within(transform.y, list.top - item.top, list.bottom - item.bottom) : transform.y,
  }),
};

export function Reorder({ keys, direction, nameOf, onMove, children }: ReorderProps) {
  const { t } = useTranslation("composer");
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates, keyboardCodes: KEYS }),
  );

  const indexOf = (id: UniqueIdentifier) => keys.indexOf(String(id));
  const interpolation = (id: UniqueIdentifier) => ({ name: nameOf(indexOf(id)), count: keys.length });
  const announcements: Announcements = {
    onDragStart: ({ active }) => t("reorder.taken", { ...interpolation(active.id), place: indexOf(active.id) + 1 }),
    // A dragged item is over itself at first.
    onDragOver: ({ active, over }) =>
      over && over.id !== active.id
        ? t("reorder.over", { ...interpolation(active.id), place: indexOf(over.id) + 1 })
        : undefined,
    onDragEnd: ({ active, over }) =>
      t("reorder.put", { ...interpolation(active.id), place: indexOf(over?.id ?? active.id) + 1 }),
    onDragCancel: ({ active }) => t("reorder.cancelled", interpolation(active.id)),
  };

  const onDragEnd = ({ active, over }: DragEndEvent) => {
    if (over && over.id !== active.id) onMove(indexOf(active.id), indexOf(over.id));
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      modifiers={[ALONG[direction]]}
      onDragEnd={onDragEnd}
      accessibility={{ announcements, screenReaderInstructions: { draggable: t("reorder.how") } }}
    >
      <SortableContext
        items={keys}
        strategy={direction === "horizontal" ? horizontalListSortingStrategy : verticalListSortingStrategy}
      >
        {children}
      </SortableContext>
    </DndContext>
  );
}

/** What makes an element an item of `Reorder`: spread `item` on it and `handle` on what takes it up, maybe the same. */
export function useReorderItem(key: string) {
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition, isDragging, active } =
    useSortable({ id: key });
  // A dragged item keeps its size.
  const moved = CSS.Translate.toString(transform);
  const style = useMemo<CSSProperties>(
    () => ({ transform: moved, transition: transition ?? undefined, zIndex: isDragging ? 2 : undefined }),
    [moved, transition, isDragging],
  );
  return {
    item: { ref: setNodeRef, style, "data-dragging": isDragging || undefined },
    handle: { ref: setActivatorNodeRef, "aria-describedby": attributes["aria-describedby"], ...listeners },
    /** Whether any item of the list is being moved. */
    dragging: active !== null,
  };
}

import { Tooltip, type TooltipProps } from "@mantine/core";
import { cloneElement, type PointerEvent, type ReactElement, type ReactNode, type Ref, useRef, useState } from "react";

/** Time that the pointer rests on an element before its tooltip is shown, in milliseconds. */
export const TOOLTIP_DELAY = 350;

interface Target {
  ref?: Ref<HTMLElement>;
  onPointerEnter?: (event: PointerEvent) => void;
  onPointerLeave?: () => void;
}

interface HintProps extends Pick<TooltipProps, "multiline" | "maw" | "position"> {
  /** The text of the tooltip, formatted when it is shown. */
  label: () => ReactNode;
  /** Time that the pointer rests on the element before the hint is shown, in milliseconds. */
  openDelay?: number;
  /** Whether no hint is shown, because the element says it itself. */
  disabled?: boolean;
  /** One element, with an accessible name: as every tooltip here, the hint is for the pointer. */
  children: ReactElement<Target>;
}

/**
 * A tooltip for the first screen, and for what a screen has dozens of: until the pointer rests on it, there is only its
 * element.
 */
export function Hint({ label, openDelay = TOOLTIP_DELAY, disabled = false, children, ...look }: HintProps) {
  const target = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isOver, setOver] = useState(false);
  const wait = ({ pointerType }: PointerEvent) => {
    clearTimeout(timer.current);
    if (pointerType !== "touch") timer.current = setTimeout(() => setOver(true), openDelay);
  };
  const element = cloneElement(children, {
    ref: target,
    onPointerEnter: wait,
    onPointerLeave: () => {
      clearTimeout(timer.current);
      setOver(false);
    },
  });
  return (
    <>
      {element}
      {isOver && !disabled && <Tooltip target={target} label={label()} defaultOpened {...look} />}
    </>
  );
}

import { Tooltip, type TooltipProps } from "@mantine/core";
import { cloneElement, type PointerEvent, type ReactElement, type ReactNode, type Ref, useRef, useState } from "react";

/** Time that the pointer rests on an element before its hint is shown, in milliseconds: that of every tooltip. */
const OPEN_DELAY = 350;

interface Target {
  ref?: Ref<HTMLElement>;
  onPointerEnter?: (event: PointerEvent) => void;
  onPointerLeave?: () => void;
}

interface HintProps extends Pick<TooltipProps, "multiline" | "maw" | "position"> {
  /** What the tooltip says, worked out when it is shown. */
  label: () => ReactNode;
  disabled?: boolean;
  /** One element that the keyboard does not reach: it is shown for the pointer only. */
  children: ReactElement<Target>;
}

/** A tooltip for what a screen has dozens of: until the pointer rests on it, it costs nothing. */
export function Hint({ label, disabled = false, children, ...look }: HintProps) {
  const target = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [isWanted, setWanted] = useState(false);
  const wait = ({ pointerType }: PointerEvent) => {
    clearTimeout(timer.current);
    if (pointerType !== "touch") timer.current = setTimeout(() => setWanted(true), OPEN_DELAY);
  };
  const element = cloneElement(children, {
    ref: target,
    onPointerEnter: wait,
    onPointerLeave: () => clearTimeout(timer.current),
  });
  return (
    <>
      {element}
      {isWanted && !disabled && <Tooltip target={target} label={label()} defaultOpened {...look} />}
    </>
  );
}

// Menus and popovers that are made when their button is first pressed: until then a screen with many of them has buttons
// only.

import { Menu, type MenuProps, Popover, type PopoverProps } from "@mantine/core";
import {
  type AriaAttributes,
  cloneElement,
  type ReactElement,
  type ReactNode,
  type Ref,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

interface Target extends AriaAttributes {
  ref?: Ref<HTMLButtonElement>;
  onClick?: () => void;
}

interface OnDemand {
  /** The button. It gets the click, so it has no action of its own. */
  target: ReactElement<Target>;
  /** What the button opens. */
  children: () => ReactNode;
}

type MenuOnDemandProps = OnDemand & Omit<MenuProps, "children" | "opened" | "onChange">;

export function MenuOnDemand({ target, children, ...menu }: MenuOnDemandProps) {
  const { button, isMade, opened, setOpened } = useOnDemand(target, "menu");
  if (!isMade) return button;
  return (
    <Menu {...menu} opened={opened} onChange={setOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>{children()}</Menu.Dropdown>
    </Menu>
  );
}

type PopoverOnDemandProps = OnDemand & Omit<PopoverProps, "children" | "opened" | "onChange">;

/** `children` contain the dropdown. It takes the focus while it is open. */
export function PopoverOnDemand({ target, children, ...popover }: PopoverOnDemandProps) {
  const { button, isMade, opened, setOpened } = useOnDemand(target, "dialog");
  if (!isMade) return button;
  return (
    <Popover trapFocus returnFocus {...popover} opened={opened} onChange={setOpened}>
      <Popover.Target>{cloneElement(button, { onClick: () => setOpened(!opened) })}</Popover.Target>
      {children()}
    </Popover>
  );
}

function useOnDemand(target: ReactElement<Target>, role: "menu" | "dialog") {
  const ref = useRef<HTMLButtonElement>(null);
  const [isMade, setMade] = useState(false);
  const [opened, setOpened] = useState(false);
  useLayoutEffect(() => {
    if (!isMade) return;
    // The button is another element now, and has to have the focus: it gets it back when what it opens is closed.
    ref.current?.focus({ preventScroll: true });
    setOpened(true);
  }, [isMade]);
  const button = isMade
    ? cloneElement(target, { ref })
    : cloneElement(target, { ref, "aria-haspopup": role, "aria-expanded": false, onClick: () => setMade(true) });
  return { button, isMade, opened, setOpened };
}

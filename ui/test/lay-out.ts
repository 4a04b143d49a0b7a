import { fireEvent } from "@testing-library/react";

/** Gives a scrollable list the scroll height of its rows, so that keys can scroll it. */
export function layOut(list: HTMLElement): void {
  const length = () => Number.parseFloat((list.firstElementChild as HTMLElement | null)?.style.height ?? "0");
  Object.defineProperty(list, "scrollHeight", { configurable: true, get: length });
  list.scrollTo = ((to: ScrollToOptions) => {
    list.scrollTop = to.top ?? list.scrollTop;
    list.scrollLeft = to.left ?? list.scrollLeft;
    fireEvent.scroll(list);
  }) as HTMLElement["scrollTo"];
}

/** Finds the innermost element whose whole text this is, with that of the elements in it. */
export const wholeText = (text: string) => (_content: string, element: Element | null) =>
  element?.textContent === text && [...element.children].every((child) => child.textContent !== text);

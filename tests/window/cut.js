// Returns elements that overflow the window horizontally outside any scroll container, and controls whose text is cut
// off.
const width = document.documentElement.clientWidth;
const isInScrollContainer = (element) => {
  for (let parent = element.parentElement; parent; parent = parent.parentElement) {
    const { overflowX } = getComputedStyle(parent);
    if ((overflowX === "auto" || overflowX === "scroll") && parent.scrollWidth > parent.clientWidth) return true;
  }
  return false;
};
const found = [];
for (const element of document.querySelectorAll("main *, nav *, [role=dialog] *")) {
  const { width: own, height, left, right } = element.getBoundingClientRect();
  const { visibility, textOverflow, overflowX } = getComputedStyle(element);
  // Text for screen readers only is one pixel in size.
  if (own <= 1 || height <= 1 || visibility === "hidden" || element.closest("svg")) continue;
  const overflows = (right > width + 1 || left < -1) && !isInScrollContainer(element);
  const isCutOff =
    element.matches("button *, [role=tab] *, label") && overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
  if (overflows || (isCutOff && textOverflow === "ellipsis")) found.push(element.outerHTML.slice(0, 160));
}
return found.slice(0, 5);

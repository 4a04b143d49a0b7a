// What reaches past the side of the window where nothing scrolls, and words of controls that have no room.
const width = document.documentElement.clientWidth;
const scrollsAside = (element) => {
  for (let around = element.parentElement; around; around = around.parentElement) {
    const { overflowX } = getComputedStyle(around);
    if ((overflowX === "auto" || overflowX === "scroll") && around.scrollWidth > around.clientWidth) return true;
  }
  return false;
};
const found = [];
for (const element of document.querySelectorAll("main *, nav *, [role=dialog] *")) {
  const { width: own, height, left, right } = element.getBoundingClientRect();
  const { visibility, textOverflow, overflowX } = getComputedStyle(element);
  // One pixel is what only screen readers are told.
  if (own <= 1 || height <= 1 || visibility === "hidden" || element.closest("svg")) continue;
  const isPast = (right > width + 1 || left < -1) && !scrollsAside(element);
  const lacksRoom =
    element.matches("button *, [role=tab] *, label") && overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
  if (isPast || (lacksRoom && textOverflow === "ellipsis")) found.push(element.outerHTML.slice(0, 160));
}
return found.slice(0, 5);

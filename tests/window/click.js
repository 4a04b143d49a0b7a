// arguments: element. Clicks its centre. Returns null, or the reason why it cannot be clicked.
// The driver's click command does not return if the click removes the element.
const [element] = arguments;
if (!element.isConnected) return "it is not in the page";
if (element.disabled || element.getAttribute("aria-disabled") === "true") return "it is disabled";
element.scrollIntoView({ block: "center", inline: "center" });
const shown = element.labels?.length && element.getBoundingClientRect().width === 0 ? element.labels[0] : element;
const box = shown.getBoundingClientRect();
const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
const top = document.elementFromPoint(at.clientX, at.clientY);
const same = top && [element, shown].some((it) => it.contains(top) || top.contains(it));
if (!same) return `it is covered by ${top?.outerHTML.slice(0, 120)}`;
const init = { bubbles: true, cancelable: true, composed: true, view: window, button: 0, ...at };
element.dispatchEvent(new PointerEvent("pointerdown", init));
element.dispatchEvent(new MouseEvent("mousedown", init));
element.focus();
element.dispatchEvent(new PointerEvent("pointerup", init));
element.dispatchEvent(new MouseEvent("mouseup", init));
element.click();
return null;

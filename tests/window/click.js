// arguments: element. Clicks it where a person would, or says what is in the way.
// The driver's own click never answers when the element is gone by the time it has been clicked.
const [element] = arguments;
if (!element.isConnected) return "it is gone";
if (element.disabled || element.getAttribute("aria-disabled") === "true") return "it is disabled";
element.scrollIntoView({ block: "center", inline: "center" });
const shown = element.labels?.length && element.getBoundingClientRect().width === 0 ? element.labels[0] : element;
const box = shown.getBoundingClientRect();
const at = { clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 };
const top = document.elementFromPoint(at.clientX, at.clientY);
const same = top && [element, shown].some((it) => it.contains(top) || top.contains(it));
if (!same) return `in the way is ${top?.outerHTML.slice(0, 120)}`;
const how = { bubbles: true, cancelable: true, composed: true, view: window, button: 0, ...at };
element.dispatchEvent(new PointerEvent("pointerdown", how));
element.dispatchEvent(new MouseEvent("mousedown", how));
element.focus();
element.dispatchEvent(new PointerEvent("pointerup", how));
element.dispatchEvent(new MouseEvent("mouseup", how));
element.click();
return null;

// Writing at the caret. The browser's own command is used where there is one, because it keeps "undo" working.

type Field = HTMLTextAreaElement | HTMLInputElement;

/** Replaces the selection by `text` and puts the caret after it. */
export function insert(field: Field, text: string, onChange: (value: string) => void): void {
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  field.focus();
  if (typeof document.execCommand === "function" && document.execCommand("insertText", false, text)) return;
  onChange(field.value.slice(0, start) + text + field.value.slice(end));
  // The new value is in the field once it has been rendered.
  requestAnimationFrame(() => field.setSelectionRange(start + text.length, start + text.length));
}

/**
 * Adds `sign` on both sides of the selection, or removes it if it is there. Spaces at the ends stay outside: WhatsApp
 * formats no text that begins or ends with one.
 */
export function surround(field: Field, sign: string, onChange: (value: string) => void): void {
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  const selected = field.value.slice(start, end);
  const words = selected.trim();
  const from = words === "" ? start : start + selected.indexOf(words);
  field.setSelectionRange(from, from + words.length);
  const wrapped = words.length >= 2 * sign.length && words.startsWith(sign) && words.endsWith(sign);
  const text = wrapped ? words.slice(sign.length, -sign.length) : `${sign}${words}${sign}`;
  insert(field, text, onChange);
  requestAnimationFrame(() => {
    if (words === "") field.setSelectionRange(from + sign.length, from + sign.length);
    else field.setSelectionRange(from, from + text.length);
  });
}

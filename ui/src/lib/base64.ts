/** Decoded bytes; empty if the text is malformed. */
export function bytesOf(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}

/** Whether the text is exactly these bytes in UTF-8: nothing in it was replaced when it was decoded. */
export function isExact(text: string, bytes: Uint8Array): boolean {
  const encoded = new TextEncoder().encode(text);
  return encoded.length === bytes.length && encoded.every((byte, index) => byte === bytes[index]);
}

const WIDTH = 16;

/** So many bytes are shown at most. */
export const HEX_SHOWN = 65_536;

/**
 * Bytes as lines of offset, hexadecimal digits and printable characters, sixteen bytes a line. At most `limit` bytes
 * are shown.
 */
export function hexDump(bytes: Uint8Array, limit = HEX_SHOWN): string {
  const lines: string[] = [];
  const end = Math.min(bytes.length, limit);
  for (let start = 0; start < end; start += WIDTH) {
    const line = [...bytes.subarray(start, Math.min(start + WIDTH, end))];
    const digits = line.map((byte) => byte.toString(16).padStart(2, "0"));
    const halves = [digits.slice(0, 8).join(" "), digits.slice(8).join(" ")].join("  ").padEnd(WIDTH * 3 + 1);
    const text = line.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : ".")).join("");
    lines.push(`${start.toString(16).padStart(8, "0")}  ${halves} ${text}`);
  }
  return lines.join("\n");
}

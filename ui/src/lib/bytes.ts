const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;

/** A size as people read it, such as "1.4 MB", in units of 1024. */
export function byteSize(bytes: number, language: string): string {
  let unit = 0;
  let size = bytes;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return new Intl.NumberFormat(language, {
    style: "unit",
    unit: UNITS[unit] ?? "byte",
    // The short name of a byte has no plural.
    unitDisplay: unit === 0 ? "long" : "short",
    maximumFractionDigits: size < 10 && unit > 0 ? 1 : 0,
  }).format(size);
}
